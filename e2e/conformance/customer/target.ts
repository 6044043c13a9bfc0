// biome-ignore lint/suspicious/noExplicitAny: the shape of the rows depends on the query.
export type Arrange = (text: string, values?: unknown[]) => Promise<any[]>;

/** Does something and keeps the transaction open until it is told to let go. */
export type Hold = (text: string) => Promise<() => Promise<void>>;

export interface Target {
  url: string;
  operatorToken: string;
  /** Changes the database behind the server. Only with a server of our own. */
  arrange?: Arrange;
  hold?: Hold;
  /** Takes the database away meanwhile. */
  outage?(during: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}
