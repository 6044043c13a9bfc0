import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { type BenchOrganization, makeOrganization } from './arrange.ts';
import { seedArchive } from './ops-seed.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export interface Side {
  chats: number;
  server: ServerProcess;
  organization: BenchOrganization;
  connection: pg.ClientConfig;
  close(): Promise<void>;
}

/** Written after seeding, so that an interrupted seeding is not reused. */
const SEEDED = 'seeded.json';

const seed = async (server: ServerProcess, connection: pg.ClientConfig, chats: number): Promise<BenchOrganization> => {
  const organization = await makeOrganization(server);
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const say = (line: string) => console.log(`${chats} chats: ${line}`);
    await seedArchive(client, { organizationId: organization.id, chats, say });
  } finally {
    await client.end();
  }
  return organization;
};

/** A server with so many chats; in a folder that is kept it finds them again the next time. */
export const openSide = async (chats: number, keep?: string): Promise<Side> => {
  const dataDir = keep === undefined ? undefined : path.resolve(keep, String(chats));
  if (dataDir && !existsSync(path.join(dataDir, SEEDED))) rmSync(dataDir, { recursive: true, force: true });
  if (dataDir) mkdirSync(dataDir, { recursive: true });
  const server = await startServerProcess(dataDir ? { dataDir } : {});
  const close = () => (dataDir ? server.kill('SIGTERM') : server.stop());
  try {
    const host = path.join(server.dataDir, 'postgres-socket');
    const connection = { host, port: 5432, user: 'parley', database: 'parley' };
    const note = path.join(server.dataDir, SEEDED);
    if (!existsSync(note)) writeFileSync(note, JSON.stringify(await seed(server, connection, chats)));
    const organization = JSON.parse(readFileSync(note, 'utf8')) as BenchOrganization;
    return { chats, server, organization, connection, close };
  } catch (error) {
    await close();
    throw error;
  }
};
