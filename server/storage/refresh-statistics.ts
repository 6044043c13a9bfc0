import type { Executor } from './executor.ts';

/** From here on PostgreSQL looks by itself often enough. */
const LARGE = 100_000;
const SMALL = 200;
const OUTGROWN = 4;

/** Tables that are several times as large as PostgreSQL thinks. */
const FIND = `
select quote_ident(c.relname) as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
where s.schemaname = current_schema() and s.n_live_tup between ${SMALL} and ${LARGE}
  and s.n_live_tup > ${OUTGROWN} * greatest(c.reltuples, 0)`;

/**
 * A table that was empty a moment ago is planned for as if it still were: any index that begins with the organization seems as
 * good as the right one. PostgreSQL itself looks once a minute at most; in a minute a young installation may grow a hundredfold.
 */
export const refreshStatistics = async (executor: Executor): Promise<void> => {
  const { rows } = await executor.query<{ name: string }>({ text: FIND, values: [] });
  for (const { name } of rows) await executor.query({ text: `analyze ${name}`, values: [] });
};
