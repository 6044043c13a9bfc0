import type { Migration } from '../migrate.ts';

/** Mails have a queue of their own, whose contents are encrypted. Finished jobs of the earlier queue contain sign-in links. */
export const outgoingMails: Migration = {
  id: '0007',
  name: 'outgoing-mails',
  up: `
-- Mails that wait to be sent, and mails that could not be sent. owner_id: the organization or partner that caused the mail.
-- next_attempt_at: while a process is sending the mail, the time at which another process may take it.
create table outgoing_mails (
  owner_id text not null,
  id uuid not null default gen_random_uuid(),
  kind text not null,
  priority smallint not null,
  content_sealed bytea not null,
  state text not null default 'pending' check (state in ('pending', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  last_error text,
  created_at timestamptz(3) not null,
  failed_at timestamptz(3),
  primary key (owner_id, id)
) with (fillfactor = 80);
create index outgoing_mails_due on outgoing_mails (owner_id, priority, next_attempt_at) where state = 'pending';
create index outgoing_mails_failed on outgoing_mails (failed_at, id) where state = 'failed';

do $$ begin
  if to_regclass('pgboss.job') is not null then
    delete from pgboss.job where name = 'send-mail' and state in ('completed', 'cancelled', 'failed');
  end if;
end $$;
`,
};
