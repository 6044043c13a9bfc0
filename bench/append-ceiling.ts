import pg from 'pg';
import { appendEvents } from '#server/domain/support/chats/append/append-statement.ts';
import type { LoadResult } from './http-load.ts';
import type { BenchChat } from './setup.ts';

/**
 * The ceiling: the same single append, one prepared statement and one transaction each, sent directly to the database. It
 * runs in a separate process, which reads the task from standard input and writes the result to standard output.
 */
export interface CeilingTask {
  connection: pg.ClientConfig;
  chats: BenchChat[];
  text: string;
  warmUpSeconds: number;
  seconds: number;
}

const run = async ({ connection, chats, text, warmUpSeconds, seconds }: CeilingTask): Promise<LoadResult> => {
  const latencies: number[] = [];
  const clients = await Promise.all(
    chats.map(async () => {
      const client = new pg.Client(connection);
      await client.connect();
      return client;
    }),
  );
  const measureFrom = performance.now() + warmUpSeconds * 1000;
  const end = measureFrom + seconds * 1000;
  await Promise.all(
    chats.map(async ({ organizationId, customerId, chatId }, index) => {
      const client = clients[index]!;
      const executor = { query: (statement: { text: string; values: unknown[] }) => client.query(statement) as never };
      for (let now = performance.now(); now < end; ) {
        const author = { kind: 'customer', id: customerId } as const;
        const draft = { content: { type: 'message', text }, visibility: 'all', properties: {} } as const;
        await appendEvents(executor, [
          { organizationId, chatId, author, draft, attachToLastThread: false, at: new Date() },
        ]);
        const done = performance.now();
        if (done >= measureFrom) latencies.push(done - now);
        now = done;
      }
    }),
  );
  await Promise.all(clients.map((client) => client.end()));
  return { requests: latencies.length, failures: 0, seconds, latencies };
};

if (import.meta.main) {
  let input = '';
  for await (const chunk of process.stdin) input += String(chunk);
  process.stdout.write(JSON.stringify(await run(JSON.parse(input) as CeilingTask)));
}
