import type { Migration } from '../migrate.ts';

/** Partners who offer their work, and what others see and say of it. */
export const experts: Migration = {
  id: '0022',
  name: 'experts',
  up: `
-- A logo may come before the profile; until there is one, the partner is no expert.
create table experts (
  partner_id bigint primary key references partners (id),
  status text not null default 'draft' check (status in ('draft', 'pending', 'approved', 'rejected')),
  logo_key text,
  company text not null default '',
  phone text not null default '',
  description text not null default '',
  short_description text not null default '',
  agents text not null default '',
  hour_rate text not null default '',
  project_rate text not null default '',
  country text not null default '',
  website text not null default '',
  socials text[] not null default '{}',
  categories text[] not null default '{}',
  languages text[] not null default '{}',
  projects text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index experts_by_status on experts (status);

create table expert_comments (
  partner_id bigint not null references experts (partner_id),
  id bigint generated always as identity,
  comment text not null,
  author text not null,
  website text not null default '',
  created_at timestamptz(3) not null,
  primary key (partner_id, id)
);

-- What visitors wrote to an expert; the words went by mail and are not kept.
create table expert_messages (
  partner_id bigint not null references experts (partner_id),
  id bigint generated always as identity,
  sent_at timestamptz(3) not null,
  primary key (partner_id, id)
);

create table expert_months (
  partner_id bigint not null references experts (partner_id),
  month date not null,
  views bigint not null,
  primary key (partner_id, month)
);

-- Who looked within the hour, so that nobody counts twice.
create table expert_viewers (
  partner_id bigint not null references experts (partner_id),
  fingerprint bytea not null,
  viewed_at timestamptz(3) not null,
  primary key (partner_id, fingerprint)
);
create index expert_viewers_by_age on expert_viewers (viewed_at);
`,
};
