import type { Migration } from '../migrate.ts';

/** How people get into the console: browsers they are signed in with, codes of a second device, links that let in once. */
export const consoleSignIn: Migration = {
  id: '0029',
  name: 'console-sign-in',
  up: `
alter table agent_sessions
  add column last_used_at timestamptz(3),
  add column user_agent text not null default '',
  add column ip text not null default '';

-- last_step: of the code that was accepted last, in steps of thirty seconds. No code up to it is accepted again.
create table agent_two_factor (
  organization_id uuid not null,
  agent_id text not null,
  secret_sealed bytea not null,
  created_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  last_step integer,
  primary key (organization_id, agent_id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);

-- id: a keyed hash of the agent and the code.
create table agent_recovery_codes (
  organization_id uuid not null,
  id bytea not null,
  agent_id text not null,
  used_at timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index agent_recovery_codes_of_agent on agent_recovery_codes (organization_id, agent_id);

alter table agent_letters drop constraint agent_letters_kind_check;
alter table agent_letters add check (kind in ('activation', 'farewell', 'reset', 'entry'));
`,
};
