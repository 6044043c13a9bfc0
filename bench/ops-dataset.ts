import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { seedArchive } from './ops-seed.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type BenchOrganization, makeOrganization } from './setup.ts';

export interface Dataset {
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
    const log = (line: string) => console.log(`${chats} chats: ${line}`);
    await seedArchive(client, { organizationId: organization.id, chats, log });
  } finally {
    await client.end();
  }
  return organization;
};

/** Starts a server with the given number of chats. With `keep`, the data directory is kept there and reused by the next run. */
export const openDataset = async (chats: number, keep?: string): Promise<Dataset> => {
  const dataDir = keep === undefined ? undefined : path.resolve(keep, String(chats));
  if (dataDir && !existsSync(path.join(dataDir, SEEDED))) rmSync(dataDir, { recursive: true, force: true });
  if (dataDir) mkdirSync(dataDir, { recursive: true });
  const server = await startServerProcess(dataDir ? { dataDir } : {});
  const close = () => (dataDir ? server.kill('SIGTERM') : server.stop());
  try {
    const host = path.join(server.dataDir, 'postgres-socket');
    const connection = { host, port: 5432, user: 'parley', database: 'parley' };
    const seededFile = path.join(server.dataDir, SEEDED);
    if (!existsSync(seededFile)) writeFileSync(seededFile, JSON.stringify(await seed(server, connection, chats)));
    const organization = JSON.parse(readFileSync(seededFile, 'utf8')) as BenchOrganization;
    return { chats, server, organization, connection, close };
  } catch (error) {
    await close();
    throw error;
  }
};
