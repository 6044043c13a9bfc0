import type { Executor } from '#server/storage/executor.ts';
import { MARK_ALL, RECOUNT } from './tally-sql.ts';

const TAKE_MARKS = `
delete from tally_marks m
where m.organization_id = $1 and m.id in (
  select n.id from tally_marks n where n.organization_id = $1 order by n.id limit $2)
returning m.measure, m.at`;

const FORGET_ALL = [
  'delete from tallies t where t.organization_id = $1',
  'delete from tally_marks m where m.organization_id = $1',
  ...MARK_ALL,
];

/** The stretches of UTC that these times lie in. */
const wholes = (times: Date[], width: number): Date[] =>
  [...new Set(times.map((at) => Math.floor(at.getTime() / width) * width))].map((at) => new Date(at));

const recount = async (executor: Executor, organizationId: string, measure: string, times: Date[]): Promise<void> => {
  for (const { milliseconds, statements } of RECOUNT.get(measure) ?? []) {
    const values = [organizationId, wholes(times, milliseconds)];
    for (const text of statements) await executor.query({ text, values });
  }
};

/** Counts the quarters of an hour that were marked, all that happened in each; says how many marks there were. */
export const countQuarters = async (executor: Executor, organizationId: string, batch: number): Promise<number> => {
  const values = [organizationId, batch];
  const { rows } = await executor.query<{ measure: string; at: Date }>({ text: TAKE_MARKS, values });
  const byMeasure = Map.groupBy(rows, ({ measure }) => measure);
  for (const [measure, marks] of byMeasure)
    await recount(
      executor,
      organizationId,
      measure,
      marks.map(({ at }) => at),
    );
  return rows.length;
};

/** Forgets all tallies and marks everything to be counted again. */
export const forgetQuarters = async (executor: Executor, organizationId: string): Promise<void> => {
  for (const text of FORGET_ALL) await executor.query({ text, values: [organizationId] });
};
