import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildGroup, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { answer, arrangeChat, reader, say } from '../../testing/builders/archive.ts';

const test = useTestApp();
let organization: TestOrganization;
let read: ReturnType<typeof reader>;
const threads: Record<string, string> = {};
let carla: string;

beforeAll(async () => {
  organization = await buildOrganization(test);
  await buildGroup(organization, 5);
  read = reader(test, organization.owner);
  const arrange = async (name: string, chat: Parameters<typeof arrangeChat>[2]) => {
    const arranged = await arrangeChat(test, organization, chat);
    threads[name] = arranged.threadId;
    test.clock.advance(60_000);
    return arranged;
  };
  const good = await arrange('good', {
    groupIds: [5],
    events: [say('Is it 100% cotton_wool?')],
    properties: { rating: { score: 1 } },
    tags: ['a', 'b'],
    seconds: 1,
  });
  carla = good.customerId;
  await organization.scope.update('customers').where('id', '=', carla).set({ email: 'Carla@home.test' }).execute();
  await arrange('bad', { properties: { rating: { score: 0, comment: 'Slow' } }, tags: ['a'], seconds: 1 });
  await arrange('plain', { events: [say('C:\\temp')], seconds: 1 });
  const pending = await arrange('pending', {});
  await answer(test, organization, pending.chatId, say('a secret note', 'agents'));
});

const found = async (query: string): Promise<string[]> => {
  const { body } = await read(`/chats?${query}`);
  const names = Object.fromEntries(Object.entries(threads).map(([name, id]) => [id, name]));
  return body.chats.map(({ id }: { id: string }) => names[id]);
};

describe('the archive finds', () => {
  const cases: [query: string, names: string[]][] = [
    ['', ['plain', 'bad', 'good']],
    ['include_pending=0', ['plain', 'bad', 'good']],
    ['include_pending=1', ['pending', 'plain', 'bad', 'good']],
    ['group=5', ['good']],
    ['group=9', []],
    ['rate=rated', ['bad', 'good']],
    ['rate=rated_good', ['good']],
    ['rate=rated_bad', ['bad']],
    ['rate=not_rated', ['plain']],
    ['comment=1', ['bad']],
    ['comment=0', ['plain', 'good']],
    ['tag[]=a', ['bad', 'good']],
    ['tag[0]=a&tag[1]=b', ['good']],
    ['tag=a', ['bad', 'good']],
    ['tagged=1', ['bad', 'good']],
    ['tagged=0', ['plain']],
    ['query=COTTON', ['good']],
    ['query=100%25%20cot', ['good']],
    ['query=10%25', []],
    ['query=cotton_wool', ['good']],
    ['query=wool%20cotton', ['good']],
    ['query=wool%20silk', []],
    ['query=cott', ['good']],
    ['query=otton', []],
    ['query=is%20i', []],
    ['query=%25', []],
    ["query='%20%7C%20!x%20%26%20", []],
    ['query=C:%5Ctemp', ['plain']],
    ['query=carla%40HOME', ['good']],
    ['query=carla%20cotton', ['good']],
    ['include_pending=1&query=secret', []],
    ['visitor_id=not-a-uuid', []],
    ['agent=nobody@shop.test', []],
    ['has_goal=1', []],
    ['has_goal=0&has_sale=0&queued=0', ['plain', 'bad', 'good']],
    ['has_sale=1', []],
    ['queued=1', []],
    ['goal=1', []],
    ['sale=1', []],
    ['country=Norway', []],
    ['city=Oslo', []],
    ['region=Oslo', []],
    ['type=chat', ['plain', 'bad']],
    ['type=missed_chat', ['good']],
    ['unknown=1', ['plain', 'bad', 'good']],
  ];
  for (const [query, names] of cases) {
    it(`${query || 'everything'} → ${names.join(', ') || 'nothing'}`, async () => {
      expect(await found(query)).toEqual(names);
    });
  }

  it('the chats of a visitor, and of an agent by login in any case', async () => {
    expect(await found(`visitor_id=${carla}`)).toEqual(['good']);
    expect(await found(`agent=${organization.owner.login.toUpperCase()}`)).toEqual(['plain', 'bad']);
  });
});

describe('the archive rejects', () => {
  const invalidQueries = [
    'page=0',
    'page=-1',
    'page=NaN',
    'page=1.5',
    'page=1e9',
    'page=1e400',
    'page=',
    'page[]=1&page[]=2',
    'date_from=2026-13-01',
    'date_from=2026-02-29',
    'date_from=0000-01-01',
    'date_to=yesterday',
    'date_from=2026-03-02&date_to=2026-03-01',
    'timezone=Mars/Olympus',
    'timezone=Etc/Unknown',
    'timezone=',
    'rate=great',
    'include_pending=2',
    'group=x',
    'goal=x',
    'goal=99999999999',
    'sale=',
    'has_goal=x',
    'group=99999999999',
    'tag[]=',
    'tag[99999]=a',
    `query=${'a'.repeat(201)}`,
    'query=%00',
    'agent[x]=1',
  ];
  for (const query of invalidQueries) {
    it(query.slice(0, 40), async () => {
      expect(await read(`/chats?${query}`)).toMatchObject({ status: 400, body: { code: 400 } });
    });
  }

  it('pages above the limit, with a hint', async () => {
    expect((await read('/chats?page=1000')).body).toEqual({ chats: [], total: 3, pages: 1 });
    for (const page of ['1001', '1000000000']) {
      const { status, body } = await read(`/chats?page=${page}`);
      expect(status).toBe(400);
      expect(body.message).toContain('narrow the dates');
    }
  });
});
