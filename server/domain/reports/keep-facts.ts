import type { Executor } from '#server/storage/database.ts';
import { SUM_FACTS, WRITE_FACTS } from './fact-sql.ts';

/** Whose facts, and how to reach them. Every organization's scope is one. */
export interface Keeper {
  readonly organizationId: string;
  readonly executor: Executor;
  transaction<R>(work: (tx: { readonly executor: Executor }) => Promise<R>): Promise<R>;
}

/** Whoever reads a report meanwhile waits for one batch at most. */
const BATCH = 500;
const REBUILD_BATCH = 5_000;
const REPORTS_LOCK = 14;

const TAKE_MARKS = `
delete from report_marks m
where m.organization_id = $1 and m.id in (
  select n.id from report_marks n where n.organization_id = $1 order by n.id limit $2)
returning m.thread_id as "threadId"`;

const ANY_MARK = 'select m.id from report_marks m where m.organization_id = $1 limit 1';
const COUNT_MARKS = 'select count(*)::int as waiting from report_marks m where m.organization_id = $1';

const FORGET = [
  'delete from chat_rollups r where r.organization_id = $1',
  'delete from chat_facts f where f.organization_id = $1',
  'delete from report_marks m where m.organization_id = $1',
  `insert into report_marks (organization_id, thread_id)
   select t.organization_id, t.id from threads t where t.organization_id = $1 and not t.active order by t.created_at`,
];
const FORGET_SOME = 'delete from chat_facts f where f.organization_id = $1 and f.thread_id = any($2)';

/** One at a time for each organization: two would both take away what was counted before. */
const inTurn = <R>(keeper: Keeper, work: (executor: Executor) => Promise<R>): Promise<R> =>
  keeper.transaction(async ({ executor }) => {
    const text = 'select pg_advisory_xact_lock($1, hashtext($2))';
    await executor.query({ text, values: [REPORTS_LOCK, keeper.organizationId] });
    return work(executor);
  });

/** Facts and sums change together. */
const countThreads = async (executor: Executor, organizationId: string, threadIds: string[]): Promise<void> => {
  await executor.query({ text: SUM_FACTS, values: [organizationId, -1, threadIds] });
  await executor.query({ text: FORGET_SOME, values: [organizationId, threadIds] });
  await executor.query({ text: WRITE_FACTS, values: [organizationId, threadIds] });
  await executor.query({ text: SUM_FACTS, values: [organizationId, 1, threadIds] });
};

const keepSome = (keeper: Keeper, batch: number): Promise<number> =>
  inTurn(keeper, async (executor) => {
    const { organizationId } = keeper;
    const { rows } = await executor.query<{ threadId: string }>({ text: TAKE_MARKS, values: [organizationId, batch] });
    const threadIds = [...new Set(rows.map(({ threadId }) => threadId))];
    if (threadIds.length > 0) await countThreads(executor, organizationId, threadIds);
    return rows.length;
  });

/**
 * Counts what has ended or changed since the last time, until nothing is left or the time is over. Whoever reads a report
 * calls it first, so that reports know of every chat that has ended. Says how many changes it saw.
 */
export const keepFacts = async (keeper: Keeper, milliseconds: number, batch = BATCH): Promise<number> => {
  const until = performance.now() + milliseconds;
  const { rows } = await keeper.executor.query({ text: ANY_MARK, values: [keeper.organizationId] });
  let kept = 0;
  for (let some = rows.length > 0 ? batch : 0; some === batch && performance.now() < until; kept += some)
    some = await keepSome(keeper, batch);
  return kept;
};

const MARK = `
insert into report_marks (organization_id, thread_id)
select t.organization_id, t.id from threads t where t.organization_id = $1 and t.id = $2 and not t.active`;

/** Somebody may have come into a thread after its end; what changes the thread itself marks it by itself. */
export const markThread = async (
  { executor, organizationId }: Pick<Keeper, 'executor' | 'organizationId'>,
  threadId: string,
): Promise<void> => {
  await executor.query({ text: MARK, values: [organizationId, threadId] });
};

const SAY_EVERY_MS = 2_000;

/** Forgets all that was counted and counts it again; `say` hears how many threads still wait. */
export const rebuildFacts = async (keeper: Keeper, say: (waiting: number) => void = () => {}): Promise<void> => {
  const values = [keeper.organizationId];
  await inTurn(keeper, async (executor) => {
    for (const text of FORGET) await executor.query({ text, values });
  });
  do {
    const { rows } = await keeper.executor.query<{ waiting: number }>({ text: COUNT_MARKS, values });
    say(rows[0]!.waiting);
  } while ((await keepFacts(keeper, SAY_EVERY_MS, REBUILD_BATCH)) > 0);
};
