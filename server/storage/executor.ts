import type { QueryResultRow } from 'pg';

/** Runs one statement. Implemented by the pool, transactions and the connections of append lanes. */
export interface Executor {
  query<Row extends QueryResultRow>(statement: {
    name?: string;
    text: string;
    values: unknown[];
  }): Promise<{ rows: Row[] }>;
}
