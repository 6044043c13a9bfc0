// biome-ignore lint/suspicious/noExplicitAny: the shape of the rows depends on the query.
export type RunSql = (text: string, values?: unknown[]) => Promise<any[]>;

/** Runs a statement in a transaction that stays open until the returned function is called. */
export type Hold = (text: string) => Promise<() => Promise<void>>;

export interface Target {
  url: string;
  operatorToken: string;
  /** Runs SQL on the database of the server. Only with a server started by the tests. */
  runSql?: RunSql;
  hold?: Hold;
  /** Makes the database unavailable during the callback. */
  outage?(during: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}
