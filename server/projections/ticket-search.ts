import { ownWords } from '#server/domain/support/archives/words.ts';
import type { Executor } from '#server/storage/executor.ts';
import { compareWithRebuild, rowsOf } from './maintain.ts';
import type { Projection } from './projection.ts';

const BATCH = 200;
const READ = `
select t.id, t.subject, t.requester_mail as mail, t.requester_name as name,
  array(
    select e.content ->> 'message' from ticket_events e
    where e.organization_id = t.organization_id and e.ticket_id = t.id and e.type = 'message' and e.content ? 'message'
    order by e.id desc) as texts
from tickets t where t.organization_id = $1 and t.id = any($2)`;

const WRITE = `
insert into ticket_search (organization_id, ticket_id, words)
select $1, w.id, array_to_tsvector(w.words) from json_to_recordset($2) as w(id text, words text[])
on conflict (organization_id, ticket_id) do update set words = excluded.words`;

const NEXT_TICKETS = `
select t.id from tickets t where t.organization_id = $1 and t.id > $2 order by t.id limit ${BATCH}`;

interface Row {
  id: string;
  subject: string;
  mail: string;
  name: string;
  texts: string[];
}

const apply = async (tx: Executor, organizationId: string, ticketIds: string[]): Promise<void> => {
  const { rows } = await tx.query<Row>({ text: READ, values: [organizationId, ticketIds] });
  const entries = rows.map(({ id, subject, mail, name, texts }) => ({
    id,
    words: ownWords(organizationId, [subject, mail, name, ...texts].join('\n')),
  }));
  await tx.query({ text: WRITE, values: [organizationId, JSON.stringify(entries)] });
};

const rebuild = async (tx: Executor, organizationId: string): Promise<void> => {
  await tx.query({
    text: 'delete from ticket_search s where s.organization_id = $1',
    values: [organizationId],
  });
  for (let last = ''; ; ) {
    const { rows } = await tx.query<{ id: string }>({ text: NEXT_TICKETS, values: [organizationId, last] });
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    await apply(tx, organizationId, ids);
    last = ids.at(-1)!;
  }
};

/**
 * The search index of tickets.
 *
 * Sources: `tickets` (subject, requester) and the messages in `ticket_events`. Keys: ticket ids. Enqueued by the events
 * `ticket_created` and `ticket_changed` (every change of a ticket, its messages or a merge) and by the erasure of a customer.
 */
export const ticketSearch: Projection & { name: 'ticket_search' } = {
  name: 'ticket_search',
  owner: 'organization',
  tables: ['ticket_search'],
  batchSize: BATCH,
  apply,
  rebuild,
  check: (tx, organizationId) =>
    compareWithRebuild(
      tx,
      organizationId,
      [rowsOf({ table: 'ticket_search', owner: 'organization_id', key: 'r.ticket_id' })],
      rebuild,
    ),
};
