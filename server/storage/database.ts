import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg, { type PoolConfig } from 'pg';
import type { Executor } from './executor.ts';
import { assertOwned } from './guard.ts';
import { executorOf } from './scope.ts';
import { createStatementNames } from './statement-names.ts';
import type { Tables } from './tables/index.ts';

export interface DatabaseOptions {
  connection: PoolConfig;
  maxConnections: number;
  /** PostgreSQL cancels statements after this time, so that no request waits forever. */
  statementTimeoutMs: number;
  onError(error: Error): void;
}

export interface Database extends Executor {
  kysely: Kysely<Tables>;
  pool: pg.Pool;
  /** For hand-written statements; domain functions use the transaction of their scope. */
  transaction<R>(work: (executor: Executor) => Promise<R>): Promise<R>;
  /** Closes every connection immediately; running statements fail. */
  destroyConnections(): void;
  close(): Promise<void>;
}

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);
/** A date has no time zone, so it stays a text. */
const DATE = 1082;
pg.types.setTypeParser(DATE, String);

/** PostgreSQL cancels a statement that takes too long. If it does not even do that within this time, it hangs. */
const CANCEL_TIMEOUT_MS = 500;
const HANG_CHECK_INTERVAL_MS = 250;

/** Every statement passes here, so the tenancy guard cannot be bypassed. */
const guardedClient = () => {
  const nameOf = createStatementNames();
  return class extends pg.Client {
    #busySince: number | undefined;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.on('drain', () => {
        this.#busySince = undefined;
      });
      // A statement prepared before a table changed cannot run again on this connection.
      this.connection.on('errorMessage', ({ routine }: { routine?: string }) => {
        if (routine === 'RevalidateCachedQuery') setImmediate(() => this.connection.stream.destroy());
      });
    }

    /** Closes a connection that does not answer, which fails its statement. */
    closeIfHanging(timeoutMs: number): void {
      if (this.#busySince !== undefined && performance.now() - this.#busySince > timeoutMs)
        this.connection.stream.destroy();
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg's own signature is a stack of overloads; this one looks at the text and may name it.
    override query(first: any, ...rest: any[]): any {
      const text: unknown = typeof first === 'string' ? first : first?.text;
      if (typeof text !== 'string' || typeof first.submit === 'function') return super.query(first, ...(rest as []));
      assertOwned(text);
      this.#busySince ??= performance.now();
      const query = typeof first === 'string' ? { text: first } : first;
      const [values = query.values, ...others] = Array.isArray(rest[0]) ? rest : [undefined, ...rest];
      if (query.name !== undefined || !values?.length) return super.query(first, ...(rest as []));
      return super.query({ ...query, values, name: nameOf(text) }, ...(others as []));
    }
  };
};

type GuardedClient = InstanceType<ReturnType<typeof guardedClient>>;

/** The only connection between the program and PostgreSQL. */
export const openDatabase = (options: DatabaseOptions): Database => {
  const pool = new pg.Pool({
    ...options.connection,
    Client: guardedClient(),
    max: options.maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    application_name: 'parley',
  } as PoolConfig);
  pool.on('error', options.onError);
  // The pool handles errors of idle connections only. A connection that is lost while in use fails its query, and
  // without this listener its error event would also crash the process.
  const clients = new Set<GuardedClient>();
  pool.on('connect', (client) => clients.add(client.on('error', () => {}) as unknown as GuardedClient));
  pool.on('remove', (client) => clients.delete(client as unknown as GuardedClient));
  const hangChecks = setInterval(() => {
    for (const client of clients) client.closeIfHanging(options.statementTimeoutMs + CANCEL_TIMEOUT_MS);
  }, HANG_CHECK_INTERVAL_MS).unref();
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return {
    kysely,
    pool,
    query: (statement) => pool.query(statement),
    transaction: (work) => kysely.transaction().execute((tx) => work(executorOf(tx))),
    destroyConnections: () => {
      for (const client of clients) void client.end();
    },
    close: () => {
      clearInterval(hangChecks);
      return kysely.destroy();
    },
  };
};
