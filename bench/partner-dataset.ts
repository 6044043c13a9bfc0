import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createClient } from '#contracts/client.ts';
import { createPartner } from '#contracts/operator/partners.ts';
import { LARGE, TYPICAL } from './partner-rows.ts';
import { type ProgramSize, seedProgram } from './partner-seed.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export interface Dataset {
  server: ServerProcess;
  /** The tokens of the two measured partners. */
  tokens: { large: string; typical: string };
  close(): Promise<void>;
}

/** Written after seeding, so that an interrupted seeding is not reused. */
const SEEDED = 'seeded.json';

const createPartners = async ({ url, operatorToken }: ServerProcess): Promise<Dataset['tokens']> => {
  const operator = createClient({ baseUrl: url, headers: { authorization: `Bearer ${operatorToken}` } });
  const create = async (k: number): Promise<string> => {
    const names = { first_name: 'Paula', last_name: 'Partner' };
    const login = `partner${k}@bench.test`;
    return (await operator(createPartner, { body: { login, password: 'a long password', ...names } })).token;
  };
  return { large: await create(LARGE), typical: await create(TYPICAL) };
};

const seed = async (server: ServerProcess, program: ProgramSize): Promise<Dataset['tokens']> => {
  const tokens = await createPartners(server);
  const host = path.join(server.dataDir, 'postgres-socket');
  const client = new pg.Client({ host, port: 5432, user: 'parley', database: 'parley' });
  await client.connect();
  try {
    await seedProgram(client, program);
  } finally {
    await client.end();
  }
  return tokens;
};

/** Starts a server with seeded data. With `keep`, the data directory is kept there and reused by the next run. */
export const openDataset = async (program: ProgramSize, keep?: string): Promise<Dataset> => {
  const dataDir = keep === undefined ? undefined : path.resolve(keep, program.isolated ? 'isolated' : 'all');
  if (dataDir && !existsSync(path.join(dataDir, SEEDED))) rmSync(dataDir, { recursive: true, force: true });
  if (dataDir) mkdirSync(dataDir, { recursive: true });
  const server = await startServerProcess(dataDir ? { dataDir } : {});
  const close = () => (dataDir ? server.kill('SIGTERM') : server.stop());
  try {
    const seededFile = path.join(server.dataDir, SEEDED);
    if (!existsSync(seededFile)) writeFileSync(seededFile, JSON.stringify(await seed(server, program)));
    return { server, tokens: JSON.parse(readFileSync(seededFile, 'utf8')) as Dataset['tokens'], close };
  } catch (error) {
    await close();
    throw error;
  }
};
