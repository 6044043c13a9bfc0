import type { Executor } from '#server/storage/executor.ts';
import { SUM_FACTS, WRITE_FACTS } from './fact-sql.ts';

const TAKE_MARKS = `
delete from report_marks m
where m.organization_id = $1 and m.id in (
  select n.id from report_marks n where n.organization_id = $1 order by n.id limit $2)
returning m.thread_id as "threadId"`;

const FORGET_SOME = 'delete from chat_facts f where f.organization_id = $1 and f.thread_id = any($2)';

const FORGET_ALL = [
  'delete from chat_rollups r where r.organization_id = $1',
  'delete from chat_facts f where f.organization_id = $1',
  'delete from report_marks m where m.organization_id = $1',
  `insert into report_marks (organization_id, thread_id)
   select t.organization_id, t.id from threads t where t.organization_id = $1 and not t.active order by t.created_at`,
];

/** Counts threads that were marked; says how many marks there were. Facts and sums change together. */
export const countThreads = async (executor: Executor, organizationId: string, batch: number): Promise<number> => {
  const { rows } = await executor.query<{ threadId: string }>({ text: TAKE_MARKS, values: [organizationId, batch] });
  const threadIds = [...new Set(rows.map(({ threadId }) => threadId))];
  if (threadIds.length > 0) {
    await executor.query({ text: SUM_FACTS, values: [organizationId, -1, threadIds] });
    await executor.query({ text: FORGET_SOME, values: [organizationId, threadIds] });
    await executor.query({ text: WRITE_FACTS, values: [organizationId, threadIds] });
    await executor.query({ text: SUM_FACTS, values: [organizationId, 1, threadIds] });
  }
  return rows.length;
};

/** Forgets all threads and marks them to be counted again. */
export const forgetThreads = async (executor: Executor, organizationId: string): Promise<void> => {
  for (const text of FORGET_ALL) await executor.query({ text, values: [organizationId] });
};
