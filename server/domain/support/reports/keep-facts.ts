import { forgetAvailability } from './availability-times.ts';
import { countQuarters, forgetQuarters } from './count-quarters.ts';
import { countThreads, forgetThreads } from './count-threads.ts';
import { forgetOccupancy } from './occupancy-quarters.ts';
import { inTurn, type Keeper } from './turn.ts';

export type { Keeper } from './turn.ts';

/** Whoever reads a report meanwhile waits for one batch at most. */
const BATCH = 500;
const REBUILD_BATCH = 5_000;

const WAITING = `
select exists (select from report_marks m where m.organization_id = $1) as threads,
  exists (select from tally_marks m where m.organization_id = $1) as quarters`;
const COUNT_MARKS = `
select (select count(*) from report_marks m where m.organization_id = $1)::int
  + (select count(*) from tally_marks m where m.organization_id = $1)::int as waiting`;

/**
 * Counts what has ended or changed since the last time, until nothing is left or the time is over. Whoever reads a report
 * calls it first, so that reports know of every chat that has ended. Says how many changes it saw.
 */
export const keepFacts = async (keeper: Keeper, milliseconds: number, batch = BATCH): Promise<number> => {
  const { organizationId, executor } = keeper;
  const until = performance.now() + milliseconds;
  const waiting = { name: 'report_marks', text: WAITING, values: [organizationId] };
  const { threads, quarters } = (await executor.query<{ threads: boolean; quarters: boolean }>(waiting)).rows[0]!;
  let kept = 0;
  for (const count of [...(threads ? [countThreads] : []), ...(quarters ? [countQuarters] : [])])
    for (let some = batch; some === batch && performance.now() < until; kept += some)
      some = await inTurn(keeper, (tx) => count(tx, organizationId, batch));
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

const LOG_INTERVAL_MS = 2_000;

/** Forgets all that was counted and counts it again; `say` hears how many marks still wait. */
export const rebuildFacts = async (keeper: Keeper, say: (waiting: number) => void = () => {}): Promise<void> => {
  const { organizationId } = keeper;
  await inTurn(keeper, async (executor) => {
    await forgetThreads(executor, organizationId);
    await forgetQuarters(executor, organizationId);
    await forgetAvailability(executor, organizationId);
    await forgetOccupancy(executor, organizationId);
  });
  do {
    const asked = { text: COUNT_MARKS, values: [organizationId] };
    say((await keeper.executor.query<{ waiting: number }>(asked)).rows[0]!.waiting);
  } while ((await keepFacts(keeper, LOG_INTERVAL_MS, REBUILD_BATCH)) > 0);
};
