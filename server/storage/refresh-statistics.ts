import type { Executor } from './executor.ts';

/** Above this size PostgreSQL updates its statistics often enough. */
const LARGE = 100_000;
const SMALL = 200;
const GROWTH_FACTOR = 4;

/** Tables that are several times larger than PostgreSQL assumes. */
const FIND = `
select quote_ident(c.relname) as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
where s.schemaname = current_schema() and s.n_live_tup between ${SMALL} and ${LARGE}
  and s.n_live_tup > ${GROWTH_FACTOR} * greatest(c.reltuples, 0)`;

/**
 * PostgreSQL plans queries on a table that was empty a moment ago as if it still were, so that any index starting with
 * the organization seems as good as the right one. It updates statistics at most once a minute, while a new
 * installation may grow a hundredfold in a minute.
 */
export const refreshStatistics = async (executor: Executor): Promise<void> => {
  const { rows } = await executor.query<{ name: string }>({ text: FIND, values: [] });
  for (const { name } of rows) await executor.query({ text: `analyze ${name}`, values: [] });
};
