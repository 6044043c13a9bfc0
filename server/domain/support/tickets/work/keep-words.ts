import type { OrganizationScope } from '../../../scope.ts';
import { ownWords } from '../../archives/words.ts';

const BATCH = 200;

const TURN = `select pg_advisory_xact_lock(hashtextextended('ticket words ' || $1, 0))`;

const TAKE_MARKS = `
delete from ticket_marks m
where m.organization_id = $1 and m.id in (
  select n.id from ticket_marks n where n.organization_id = $1 order by n.id limit ${BATCH})
returning m.ticket_id as "ticketId"`;

const READ = `
select t.id, t.subject, t.requester_mail as mail, t.requester_name as name,
  array(
    select e.content ->> 'message' from ticket_events e
    where e.organization_id = t.organization_id and e.ticket_id = t.id and e.type = 'message' and e.content ? 'message'
    order by e.id desc) as texts
from tickets t where t.organization_id = $1 and t.id = any($2)`;

const WRITE = `
insert into ticket_words (organization_id, ticket_id, words)
select $1, w.id, array_to_tsvector(w.words) from json_to_recordset($2) as w(id text, words text[])
on conflict (organization_id, ticket_id) do update set words = excluded.words`;

interface Written {
  id: string;
  subject: string;
  mail: string;
  name: string;
  texts: string[];
}

const writeWords = async ({ executor, organizationId }: OrganizationScope, ticketIds: string[]): Promise<void> => {
  const { rows } = await executor.query<Written>({ text: READ, values: [organizationId, ticketIds] });
  const entries = rows.map(({ id, subject, mail, name, texts }) => ({
    id,
    words: ownWords(organizationId, [subject, mail, name, ...texts].join('\n')),
  }));
  await executor.query({ text: WRITE, values: [organizationId, JSON.stringify(entries)] });
};

/** One at a time for each organization, so that what was read last is written last. */
const keepSome = (scope: OrganizationScope): Promise<number> =>
  scope.transaction(async (tx) => {
    const values = [tx.organizationId];
    await tx.executor.query({ text: TURN, values });
    const { rows } = await tx.executor.query<{ ticketId: string }>({ text: TAKE_MARKS, values });
    if (rows.length > 0) await writeWords(tx, [...new Set(rows.map(({ ticketId }) => ticketId))]);
    return rows.length;
  });

/**
 * Writes the words of tickets that were opened or changed since the last time, until nothing is left or `until` has come.
 * Whoever searches calls it first, so that a ticket is found as soon as it is there.
 */
export const keepTicketWords = async (scope: OrganizationScope, until: number): Promise<void> => {
  const waiting = await scope.from('ticketMarks').select('id').limit(1).executeTakeFirst();
  for (let some = waiting ? BATCH : 0; some === BATCH && performance.now() < until; ) some = await keepSome(scope);
};
