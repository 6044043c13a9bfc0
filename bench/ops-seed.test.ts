import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projections } from '#server/projections/index.ts';
import { checkProjection } from '#server/projections/maintain.ts';
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
  await seedArchive(client, { organizationId: organization.id, chats: CHATS, log: () => {} });
});
afterAll(async () => {
  await client.end();
  await test[Symbol.asyncDispose]();
});

const countOf = async (table: string): Promise<number> =>
  (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]!.count;

describe('the seeded archive', () => {
  it('has an entry and facts for every chat, and every projection equals its sources', async () => {
    expect([await countOf('archive_entries'), await countOf('chat_facts')]).toEqual([CHATS, CHATS]);
    for (const projection of Object.values(projections).filter(({ owner }) => owner === 'organization'))
      expect(await checkProjection(test.context.database, projection, organization.id), projection.name).toEqual([]);
  });

  it('restores the search indexes that were dropped for seeding', async () => {
    const { rows } = await client.query(
      `select indexname from pg_indexes where tablename = 'archive_entries' order by 1`,
    );
    expect(rows).toMatchObject(
      ['by_time', 'facts', 'pkey', 'slot', 'words'].map((name) => ({ indexname: `archive_entries_${name}` })),
    );
  });
});
