import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createClient } from '#contracts/client.ts';
import { createPartner } from '#contracts/operator/partners.ts';
import { LARGE, USUAL } from './partner-rows.ts';
import { type ProgramSize, seedProgram } from './partner-seed.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export interface Side {
  server: ServerProcess;
  /** The tokens of the two measured partners. */
  tokens: { large: string; usual: string };
  close(): Promise<void>;
}

/** Written after seeding, so that an interrupted seeding is not reused. */
const SEEDED = 'seeded.json';

const makePartners = async ({ url, operatorToken }: ServerProcess): Promise<Side['tokens']> => {
  const operator = createClient({ baseUrl: url, headers: { authorization: `Bearer ${operatorToken}` } });
  const make = async (k: number): Promise<string> => {
    const names = { first_name: 'Paula', last_name: 'Partner' };
    const login = `partner${k}@bench.test`;
    return (await operator(createPartner, { body: { login, password: 'a long password', ...names } })).token;
  };
  return { large: await make(LARGE), usual: await make(USUAL) };
};

const seed = async (server: ServerProcess, program: ProgramSize): Promise<Side['tokens']> => {
  const tokens = await makePartners(server);
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

/** A server with seeded data, which is reused if its folder is kept. */
export const openSide = async (program: ProgramSize, keep?: string): Promise<Side> => {
  const dataDir = keep === undefined ? undefined : path.resolve(keep, program.alone ? 'alone' : 'all');
  if (dataDir && !existsSync(path.join(dataDir, SEEDED))) rmSync(dataDir, { recursive: true, force: true });
  if (dataDir) mkdirSync(dataDir, { recursive: true });
  const server = await startServerProcess(dataDir ? { dataDir } : {});
  const close = () => (dataDir ? server.kill('SIGTERM') : server.stop());
  try {
    const note = path.join(server.dataDir, SEEDED);
    if (!existsSync(note)) writeFileSync(note, JSON.stringify(await seed(server, program)));
    return { server, tokens: JSON.parse(readFileSync(note, 'utf8')) as Side['tokens'], close };
  } catch (error) {
    await close();
    throw error;
  }
};
