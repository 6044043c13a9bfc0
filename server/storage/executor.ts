import type { QueryResultRow } from 'pg';

/** Runs one statement; the pool, a transaction and a lane's own connection all can. */
export interface Executor {
  query<Row extends QueryResultRow>(statement: {
    name?: string;
    text: string;
    values: unknown[];
  }): Promise<{ rows: Row[] }>;
}
