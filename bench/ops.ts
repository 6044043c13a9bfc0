import path from 'node:path';
import pg from 'pg';
import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { type BenchOrganization, makeOrganization } from './arrange.ts';
import { percentile } from './http-load.ts';
import { seedArchive } from './seed-archive.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** `npm run bench -- ops [chats]`: beside it, the same with a tenth of the chats. */
const CHATS = Number(process.argv[3] ?? 1_000_000);
const SIZES = [CHATS / 10, CHATS];
const WARM_UPS = 3;
const REQUESTS = 40;
/** Its days begin in the midst of those of UTC. */
const ZONE = 'America/New_York';

interface Side {
  chats: number;
  server: ServerProcess;
  organization: BenchOrganization;
}

const openSide = async (chats: number): Promise<Side> => {
  const server = await startServerProcess();
  try {
    const organization = await makeOrganization(server);
    const host = path.join(server.dataDir, 'postgres-socket');
    const connection = { host, port: 5432, user: 'parley', database: 'parley' };
    const client = new pg.Client(connection);
    await client.connect();
    const say = (line: string) => console.log(`${chats} chats: ${line}`);
    try {
      await seedArchive(client, connection, { organizationId: organization.id, chats, say });
    } finally {
      await client.end();
    }
    return { chats, server, organization };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

const dayAgo = (days: number): string => new Date(Date.now() - days * 864e5).toISOString().slice(0, 10);
const MONTH = `date_from=${dayAgo(35)}&date_to=${dayAgo(5)}`;

const lists: Record<string, string> = {
  'GET /chats': '/chats',
  'GET /chats, two filters': '/chats?agent=agent7@bench.test&rate=rated_good',
  'GET /chats, query': '/chats?query=w0042',
  'GET /chats, query of two words': '/chats?query=order%20w0042',
};

const reports = (): Record<string, string> =>
  Object.fromEntries(
    chatOpsContract.operations
      .filter((operation) => operation.path.startsWith('/reports/'))
      .flatMap(({ path: at, query }) => {
        const name = at.slice('/reports/'.length);
        if (at.endsWith('occupancy')) return [[name, `${at}?weekday=mon`]];
        const zone = 'timezone' in query!.properties ? `&timezone=${ZONE}` : '';
        return [
          [`${name}, month`, `${at}?${MONTH}${zone}`],
          [`${name}, all time`, `${at}?${zone}`],
        ];
      }),
  );

const filtered: Record<string, string> = {
  'total_chats of an agent, month': `/reports/chats/total_chats?${MONTH}&agent=agent7@bench.test`,
  'total_chats of an agent, all time': '/reports/chats/total_chats?agent=agent7@bench.test',
  'total_chats of an agent and a tag, month': `/reports/chats/total_chats?${MONTH}&agent=agent7@bench.test&tag=tag3`,
  'ranking of a group, all time': '/reports/chats/ratings/ranking?group=2',
};

interface Measured {
  p50: number;
  p99: number;
}

const measure = async ({ server, organization }: Side, url: string): Promise<Measured> => {
  const basic = Buffer.from(`${organization.login}:${organization.apiKey}`).toString('base64');
  const latencies: number[] = [];
  for (let n = -WARM_UPS; n < REQUESTS; n++) {
    const start = performance.now();
    const response = await fetch(`${server.url}${url}`, { headers: { authorization: `Basic ${basic}` } });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${body}`);
    if (n >= 0) latencies.push(performance.now() - start);
  }
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
};

/** Both sizes take turns, so that a busy moment of the machine touches them alike. */
export const run = async (): Promise<void> => {
  const sides: Side[] = [];
  try {
    for (const chats of SIZES) sides.push(await openSide(chats));
    const rows: Record<string, Record<string, string>> = {};
    for (const [name, url] of Object.entries({ ...lists, ...reports(), ...filtered })) {
      const [small, large] = [await measure(sides[0]!, url), await measure(sides[1]!, url)];
      rows[name] = {
        [`p50 ms, ${SIZES[0]}`]: small.p50.toFixed(1),
        [`p99 ms, ${SIZES[0]}`]: small.p99.toFixed(1),
        [`p50 ms, ${SIZES[1]}`]: large.p50.toFixed(1),
        [`p99 ms, ${SIZES[1]}`]: large.p99.toFixed(1),
        'large to small': (large.p50 / small.p50).toFixed(2),
      };
    }
    console.table(rows);
  } finally {
    for (const { server } of sides) await server.stop();
  }
};
