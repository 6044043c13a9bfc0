import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { OrganizationScope } from '../../scope.ts';
import { CLEAR_BITS, WRITE_ENTRIES } from './entry-sql.ts';
import { factsOf } from './facts.ts';
import { notedText, readEnded, searchedText } from './read-facts.ts';
import { noteWords, ownWords } from './words.ts';

const BATCH = 500;

/** A search waits so long for what has just ended; after a long pause there may be more to do than that. */
export const SEARCH_WAITS_MS = 1_000;

const TAKE_MARKS = `
delete from archive_marks m
where m.organization_id = $1 and m.id in (
  select n.id from archive_marks n where n.organization_id = $1 order by n.id limit ${BATCH})
returning m.thread_id as "threadId"`;

const MARK_ENDED = `
insert into archive_marks (organization_id, thread_id)
select t.organization_id, t.id from threads t where t.organization_id = $1 and t.id = $2 and not t.active`;

const writeEntries = async (tx: OrganizationScope, threadIds: string[]): Promise<void> => {
  const { organizationId, executor } = tx;
  const entries = (await readEnded(tx, threadIds)).map((thread) => ({
    id: thread.id,
    chat_id: thread.chatId,
    started_at: thread.createdAt,
    ...factsOf(organizationId, thread),
    words: [...ownWords(organizationId, searchedText(thread)), ...noteWords(organizationId, notedText(thread))],
    session_fields: thread.sessionFields,
  }));
  const kept = new Set(entries.map(({ id }) => id));
  const gone = threadIds.filter((id) => !kept.has(id));
  if (gone.length > 0) await tx.remove('archiveEntries').where('threadId', 'in', gone).execute();
  await executor.query({ text: CLEAR_BITS, values: [organizationId, [...kept]] });
  await executor.query({ text: WRITE_ENTRIES, values: [organizationId, JSON.stringify(entries)] });
};

/** One at a time for each organization, so that what was read last is written last. */
const keepSome = (scope: OrganizationScope): Promise<number> =>
  scope.transaction(async (tx) => {
    const values = [tx.organizationId];
    await lockInTransaction(tx.executor, 'archive', tx.organizationId);
    const { rows } = await tx.executor.query<{ threadId: string }>({ text: TAKE_MARKS, values });
    if (rows.length > 0) await writeEntries(tx, [...new Set(rows.map(({ threadId }) => threadId))]);
    return rows.length;
  });

/**
 * Writes the entries of what has ended or changed since the last time, until nothing is left or `until` has come. Whoever
 * searches calls it first, so that a chat is found as soon as it has ended.
 */
export const keepArchive = async (scope: OrganizationScope, until: number): Promise<number> => {
  const waiting = await scope.from('archiveMarks').select('id').limit(1).executeTakeFirst();
  let kept = 0;
  for (let some = waiting ? BATCH : 0; some === BATCH; ) {
    some = await keepSome(scope);
    kept += some;
    if (performance.now() >= until) break;
  }
  return kept;
};

/** Something was said in a thread, maybe after its end. */
export const markEnded = async ({ executor, organizationId }: OrganizationScope, threadId: string): Promise<void> => {
  await executor.query({ text: MARK_ENDED, values: [organizationId, threadId] });
};
