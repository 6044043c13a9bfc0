import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enqueueAllProjections } from '#server/testing/app/enqueue-all-projections.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { arrangeChat, reader } from '../../testing/builders/archive.ts';
import { caller } from '../../testing/http/chat-ops.ts';

const test = useTestApp();
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client(test.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
});

/** Every bit of the index must match a fact of an archived chat, and every indexed fact must have its bit. */
const expectBits = async ({ id }: TestOrganization): Promise<void> => {
  const { rows } = await client.query<{ bits: number; facts: number; visitors: number }>(
    `select
       (select sum(bit_count(b.bitmap))::int from archive_bitmaps b where b.organization_id = $1) as bits,
       (select count(*)::int from archive_entries e cross join unnest(e.facts || 0::bigint) f(fact)
        join archive_bitmaps b on b.organization_id = $1 and b.fact = f.fact and b.day = e.day and b.part = e.slot / 1024
          and get_bit(b.bitmap, e.slot % 1024) = 1
        where e.organization_id = $1) as facts,
       (select sum(cardinality(e.facts) + 1)::int from archive_entries e where e.organization_id = $1)
         - (select count(*)::int from archive_entries e where e.organization_id = $1) as visitors`,
    [id],
  );
  const { bits, facts, visitors } = rows[0]!;
  expect(bits).toBe(facts);
  expect(bits).toBe(visitors);
};

describe('totals from the bitmap index', () => {
  it('stay correct when chats are changed, removed and added again', async () => {
    const organization = await buildOrganization(test);
    const [read, call] = [reader(test, organization.owner), caller(test, organization.owner)];
    const chats: { chatId: string; threadId: string }[] = [];
    for (const tags of [['a'], ['a', 'b'], [], ['b'], ['a', 'c'], []])
      chats.push(await arrangeChat(test, organization, { tags, seconds: 40_000 }));
    const totals = async () => {
      const found: number[] = [];
      for (const query of ['', '?tag[]=a', '?tag[]=a&tag[]=b', '?tagged=0', '?tagged=1&rate=not_rated'])
        found.push((await read(`/chats${query}`)).body.total);
      await expectBits(organization);
      return found;
    };
    expect(await totals()).toEqual([6, 3, 1, 2, 4]);
    await call('PUT', `/chats/${chats[0]!.threadId}/tags`, { tag: ['b'] });
    await call('PUT', `/chats/${chats[2]!.threadId}/tags`, { tag: ['a', 'b'] });
    expect(await totals()).toEqual([6, 3, 2, 1, 5]);
    const anonymize = async (n: number, anonymized: boolean) => {
      await organization.scope.update('chats').where('id', '=', chats[n]!.chatId).set({ anonymized }).execute();
      await enqueueAllProjections(organization.scope);
    };
    await anonymize(1, true);
    await anonymize(4, true);
    expect(await totals()).toEqual([4, 1, 1, 1, 3]);
    await anonymize(1, false);
    await call('PUT', `/chats/${chats[1]!.threadId}/tags`, { tag: ['a'] });
    expect(await totals()).toEqual([5, 2, 1, 1, 4]);
    expect((await read('/chats')).body.chats.map(({ id }: { id: string }) => id)).toEqual(
      [5, 3, 2, 1, 0].map((at) => chats[at]!.threadId),
    );
  });

  it('cover and page through days with more than one bitmap row', async () => {
    const organization = await buildOrganization(test);
    const { threadId } = await arrangeChat(test, organization, { seconds: 1 });
    const read = reader(test, organization.owner);
    expect((await read('/chats')).body.total).toBe(1);
    await client.query(
      `insert into threads select (jsonb_populate_record(t, jsonb_build_object('id', 'N' || n,
         'created_at', t.created_at + interval '1 second' * n))).*
       from threads t, generate_series(1, 1100) n where t.organization_id = $1 and t.id = $2`,
      [organization.id, threadId],
    );
    await enqueueAllProjections(organization.scope);
    const pageOf = async (page: number) => (await read(`/chats?page=${page}`)).body;
    expect(await pageOf(1)).toMatchObject({ total: 1101, pages: 45 });
    expect((await pageOf(3)).chats[0].id).toBe('N1050');
    expect((await pageOf(45)).chats.map(({ id }: { id: string }) => id)).toEqual([threadId]);
    await expectBits(organization);
  });
});
