import type { Migration } from '../migrate.ts';

/**
 * What tickets are found by. A ticket has one entry; marks say which have to be written anew, and each change adds one, so
 * that none is taken away by whoever read the ticket before.
 */
export const ticketWords: Migration = {
  id: '0026',
  name: 'ticket-words',
  up: `
create table ticket_marks (
  organization_id uuid not null,
  id bigint generated always as identity,
  ticket_id text not null,
  primary key (organization_id, id)
);

-- Each word begins with its organization, so that a list of the index is as long as one organization needs it.
create table ticket_words (
  organization_id uuid not null,
  ticket_id text not null,
  words tsvector not null,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id)
);
create index ticket_words_words on ticket_words using gin (words) with (fastupdate = off);

create function mark_ticket() returns trigger language plpgsql as $$
begin
  insert into ticket_marks (organization_id, ticket_id) values (new.organization_id, new.id);
  return null;
end $$;
create trigger tickets_opened after insert on tickets for each row execute function mark_ticket();
create trigger tickets_renamed after update of subject, requester_mail, requester_name on tickets for each row
  when ((old.subject, old.requester_mail, old.requester_name) is distinct from (new.subject, new.requester_mail, new.requester_name))
  execute function mark_ticket();

create function mark_ticket_of_message() returns trigger language plpgsql as $$
begin
  insert into ticket_marks (organization_id, ticket_id) values (new.organization_id, new.ticket_id);
  -- A merge takes messages along, and its end brings them back.
  if tg_op = 'UPDATE' and old.ticket_id <> new.ticket_id then
    insert into ticket_marks (organization_id, ticket_id) values (old.organization_id, old.ticket_id);
  end if;
  return null;
end $$;
create trigger ticket_messages_written after insert on ticket_events for each row when (new.type = 'message')
  execute function mark_ticket_of_message();
create trigger ticket_messages_changed after update of ticket_id, content on ticket_events for each row
  when (new.type = 'message' and (old.ticket_id <> new.ticket_id or old.content <> new.content))
  execute function mark_ticket_of_message();

insert into ticket_marks (organization_id, ticket_id) select organization_id, id from tickets order by organization_id, created_at;
`,
};
