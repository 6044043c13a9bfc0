import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepArchive } from '#server/domain/support/archives/keep-archive.ts';
import { rebuildFacts } from '#server/domain/support/reports/keep-facts.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { seedArchive } from './ops-seed.ts';

const CHATS = 600;

let test: TestApp;
let client: pg.Client;
let organization: TestOrganization;

beforeAll(async () => {
  test = await startTestApp();
  client = new pg.Client(test.connection);
  await client.connect();
  organization = await buildOrganization(test, { online: false });
  await seedArchive(client, { organizationId: organization.id, chats: CHATS, say: () => {} });
});
afterAll(async () => {
  await client.end();
  await test[Symbol.asyncDispose]();
});

const rowsOf = async (text: string): Promise<object[]> => (await client.query<object>(text)).rows;
const readAll = async (texts: string[]): Promise<object[][]> => {
  const all: object[][] = [];
  for (const text of texts) all.push(await rowsOf(text));
  return all;
};

const ENTRIES = [
  `select thread_id, chat_id, started_at, day, slot, array(select f from unnest(facts) f order by f) as facts, words::text, session_fields
   from archive_entries order by thread_id`,
  'select * from archive_bits order by fact, day, part',
];
const SUMS = [
  'select * from chat_facts order by thread_id',
  'select * from chat_agent_facts order by thread_id',
  'select * from chat_rollups order by dimension, grain, at',
  'select * from tallies order by measure, grain, at, kind',
];

describe('the seeded archive', () => {
  it('has the entries that the program writes', async () => {
    const seeded = await readAll(ENTRIES);
    await client.query('truncate archive_entries, archive_bits');
    await client.query(
      'insert into archive_marks (organization_id, thread_id) select organization_id, id from threads order by created_at',
    );
    await keepArchive(organization.scope, Number.POSITIVE_INFINITY);
    expect(seeded[0]).toHaveLength(CHATS);
    expect(seeded).toEqual(await readAll(ENTRIES));
  });

  it('has the facts and sums that the program counts', async () => {
    const seeded = await readAll(SUMS);
    await rebuildFacts(organization.scope);
    expect(seeded[0]).toHaveLength(CHATS);
    expect(seeded).toEqual(await readAll(SUMS));
  });

  it('is indexed as before', async () => {
    const indexes = await rowsOf(`select indexname from pg_indexes where tablename = 'archive_entries' order by 1`);
    expect(indexes).toMatchObject(
      ['by_time', 'facts', 'pkey', 'slot', 'words'].map((name) => ({ indexname: `archive_entries_${name}` })),
    );
  });
});
