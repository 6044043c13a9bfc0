import { beforeAll, describe, expect, it } from 'vitest';
import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { tagThread, untagThread } from '#server/domain/support/chats/lifecycle/tag-thread.ts';
import { deleteProperties, updateProperties } from '#server/domain/support/properties/change-properties.ts';
import { enqueueAllProjections } from '#server/testing/app/enqueue-all-projections.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { answer, arrangeChat, asCustomer, reader, say } from '../../testing/builders/archive.ts';

const test = useTestApp();
let shop: TestOrganization;
let read: ReturnType<typeof reader>;

const MINUTE = 60_000;
const TODAY = '2026-03-02';
const today = `date_from=${TODAY}&date_to=${TODAY}`;

/** A chat of today: a question, a reply one minute later, and its end. */
const chat = async () => {
  const arranged = await arrangeChat(test, shop, { events: [say('Hello?')] });
  test.clock.advance(MINUTE);
  await answer(test, shop, arranged.chatId, say('Yes?'));
  test.clock.advance(MINUTE);
  await deactivateChat(asCustomer(test, shop, arranged.customerId), { chatId: arranged.chatId });
  return arranged;
};

const paths = chatOpsContract.operations.map(({ path }) => path).filter((path) => path.startsWith('/reports/'));
const plain = (path: string): string => (path.endsWith('occupancy') ? `${path}?weekday=mon` : path);

describe('a chat', () => {
  beforeAll(async () => {
    shop = await buildOrganization(test);
    read = reader(test, shop.owner);
  });

  it('is counted immediately after it has ended', async () => {
    const open = await arrangeChat(test, shop);
    const key = `/reports/chats/total_chats?date_from=${TODAY}&date_to=${TODAY}&group_by=day`;
    expect((await read(key)).body).toEqual({ [TODAY]: { chats: 0 } });
    await deactivateChat(asCustomer(test, shop, open.customerId), { chatId: open.chatId });
    expect((await read(key)).body).toEqual({ [TODAY]: { chats: 1 } });
  });

  it('is reported with its response times and chatting time', async () => {
    await chat();
    const at = `${today}&group_by=day&agent=${shop.owner.login.toUpperCase()}`;
    expect((await read(`/reports/chats/first_response_time?${at}`)).body).toEqual({
      [TODAY]: { first_response_time: { count: 1, seconds: 60 } },
    });
    expect((await read(`/reports/chats/response_time?${at}`)).body).toEqual({
      [TODAY]: { avg_response_time: { count: 1, seconds: 60 } },
    });
    const { body } = await read(`/reports/chats/chatting_time?${today}`);
    expect(body['10:00']).toEqual({ hours: 0.03, minutes: 2 });
  });

  it('is updated by later ratings and tags, and by their removal', async () => {
    const { chatId, threadId, customerId } = await chat();
    const rating = async () => (await read(`/reports/chats/ratings?${today}&group_by=day`)).body[TODAY];
    const tagged = async () => (await read(`/reports/chats/total_chats?${today}&group_by=month&tag[]=vip`)).body;
    const target = { of: 'thread', chatId, threadId } as const;
    const customer = asCustomer(test, shop, customerId);
    await updateProperties(customer, target, { rating: { score: 1 } });
    expect(await rating()).toMatchObject({ begin: TODAY, end: TODAY, good: 1, bad: 0 });
    await updateProperties(customer, target, { rating: { score: 0 } });
    expect(await rating()).toMatchObject({ good: 0, bad: 1 });
    const ranking = async () => (await read('/reports/chats/ratings/ranking')).body;
    const rank = { good: 0, bad: 1, total: 1, score: 0, name: shop.owner.login };
    expect(await ranking()).toEqual({ ranking: [rank] });
    await deleteProperties(customer, target, { rating: ['score'] });
    expect(await rating()).toMatchObject({ good: 0, bad: 0 });
    expect(await ranking()).toEqual({ ranking: [] });
    const agent = agentScope(shop, shop.owner);
    await tagThread(agent, { chatId, threadId, tag: 'vip' });
    expect(await tagged()).toEqual({ '2026-03': { chats: 1 } });
    await untagThread(agent, { chatId, threadId, tag: 'vip' });
    expect(await tagged()).toEqual({ '2026-03': { chats: 0 } });
  });

  it('counts for an agent who joins after its end', async () => {
    const { chatId } = await chat();
    const late = await buildAgent(shop);
    const of = async () =>
      (await read(`/reports/chats/total_chats?${today}&group_by=day&agent=${late.login}`)).body[TODAY].chats;
    expect(await of()).toBe(0);
    await sendEvent(agentScope(shop, late), { chatId, event: say('One more thing'), attachToLastThread: true });
    expect(await of()).toBe(1);
  });

  it('is counted by the worker without a report request', async () => {
    const { threadId } = await chat();
    await test.context.background.projections.drain();
    const facts = await shop.scope.from('chatFacts').where('threadId', '=', threadId).select('threadId').execute();
    expect(facts).toHaveLength(1);
  });
});

describe('a report', () => {
  beforeAll(async () => {
    shop = await buildOrganization(test);
    read = reader(test, shop.owner);
  });

  it('is grouped by hours for one day, by days for several, or by months', async () => {
    const keys = async (query: string) => Object.keys((await read(`/reports/chats/total_chats?${query}`)).body);
    expect(await keys(today)).toEqual(Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`));
    expect(await keys(`${today}&group_by=day`)).toEqual([TODAY]);
    expect(await keys(`${today}&group_by=month`)).toEqual(['2026-03']);
    expect(await keys(`date_from=2026-02-28&date_to=${TODAY}`)).toEqual(['2026-02-28', '2026-03-01', TODAY]);
    expect(await keys('date_from=2025-12-31&group_by=month')).toHaveLength(4);
  });

  it('has no hours for a day that the time zone skipped, and an empty day', async () => {
    const [skipped, around] = ['date_from=2011-12-30&date_to=2011-12-30', 'date_from=2011-12-29&date_to=2011-12-31'];
    for (const path of ['/reports/chats/total_chats', '/reports/availability', '/reports/chats/chatting_time'])
      expect(await read(`${path}?${skipped}&timezone=Pacific/Apia`), path).toMatchObject({ status: 200 });
    const zone = 'timezone=Pacific/Apia';
    const chats = async (query: string) => (await read(`/reports/chats/total_chats?${zone}&${query}`)).body;
    expect(await chats(skipped)).toEqual({});
    expect(await chats(`${skipped}&group_by=day`)).toEqual({ '2011-12-30': { chats: 0 } });
    expect(Object.keys(await chats(`${around}&group_by=hour`))).toHaveLength(48);
    expect((await read(`/reports/availability?${skipped}&${zone}`)).body).toEqual({});
  });

  it('starts with the oldest data and ends today, in the requested time zone', async () => {
    const keys = async (query: string) => Object.keys((await read(`/reports/chats/total_chats?${query}`)).body);
    expect(await keys('')).toEqual([TODAY]);
    expect(await keys('timezone=Pacific/Kiritimati')).toEqual(['2026-03-03']);
    expect(await keys('date_to=2020-05-05')).toEqual(['2020-05-05']);
    const old = await arrangeChat(test, shop, { seconds: 1 });
    const createdAt = new Date('2026-02-27T23:30:00Z');
    await shop.scope
      .update('threads')
      .where('id', '=', old.threadId)
      .set({ createdAt, tags: ['old'] })
      .execute();
    await enqueueAllProjections(shop.scope);
    expect(await keys('')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', TODAY]);
    expect((await keys('timezone=Europe/Warsaw'))[0]).toBe('2026-02-28');
  });

  it('is in the time zone of the account by default', async () => {
    const other = await buildOrganization(test);
    await test.context.database.kysely
      .updateTable('organizations')
      .where('id', '=', other.id)
      .set({ timezone: 'Asia/Kolkata' })
      .execute();
    await arrangeChat(test, other, { seconds: 1 });
    const hours = async (query: string) => {
      const { body } = await reader(test, other.owner)(`/reports/chats/total_chats?${today}${query}`);
      return Object.keys(body).filter((hour) => body[hour].chats > 0);
    };
    const utc = test.clock.now().toISOString().slice(11, 13);
    const kolkata = new Date(test.clock.now().getTime() + 5.5 * 3600e3).toISOString().slice(11, 13);
    expect(await hours('')).toEqual([`${kolkata}:00`]);
    expect(await hours('&timezone=Etc/UTC')).toEqual([`${utc}:00`]);
  });

  it('is available as JSONP', async () => {
    const headers = { authorization: shop.owner.basic };
    const url = `/reports/chats/total_chats?${today}&group_by=day&callback=cb`;
    expect((await test.app.inject({ method: 'GET', url, headers })).body).toMatch(/^\/\*\*\/cb\(\{/);
  });
});

describe.each(paths)('%s', (path) => {
  const join = (query: string): string => `${plain(path)}${plain(path).includes('?') ? '&' : '?'}${query}`;
  let organization: TestOrganization;
  let normal: TestAgent;
  beforeAll(async () => {
    organization = await buildOrganization(test);
    normal = await buildAgent(organization);
  });

  it('is available to every agent and requires authentication', async () => {
    for (const agent of [organization.owner, normal]) expect((await reader(test, agent)(plain(path))).status).toBe(200);
    for (const authorization of ['', 'Basic eDp5', 'Bearer dal-wrong'])
      expect((await reader(test, normal)(plain(path), { authorization })).status).toBe(401);
  });

  it('rejects invalid parameters', async () => {
    const { query } = chatOpsContract.operations.find((one) => one.path === path)!;
    const takes = Object.keys(query!.properties);
    const invalidQueries: Record<string, string[]> = {
      date_from: ['date_from=2026-02-30', 'date_from=yesterday', `date_from=2026-03-03&date_to=${TODAY}`],
      date_to: ['date_to=', 'date_to=2026-13-01'],
      timezone: ['timezone=Mars/Olympus', 'timezone=Etc/Unknown', 'timezone='],
      group_by: ['group_by=week', 'group_by=', 'date_from=1001-01-01&group_by=hour'],
      group: ['group=x', 'group=-1', 'group=99999999999', 'group[]=1&group[]=2'],
      agent: ['agent=', 'agent[x]=1'],
      tag: ['tag=', 'tag[]=a&tag[]=b', 'tag=%00'],
      goal: ['goal=x'],
      greeting: ['greeting=x'],
      sales_tracker: ['sales_tracker=2'],
      currency: ['currency=EURO', 'currency='],
      weekday: ['weekday=monday'],
      groups: ['groups[]=x'],
      callback: ['callback=1'],
    };
    for (const name of takes)
      for (const query of invalidQueries[name] ?? []) {
        const url = name === 'weekday' ? `${path}?${query}` : join(query);
        expect([url, (await reader(test, organization.owner)(url)).status]).toEqual([url, 400]);
      }
    if (takes.includes('weekday')) expect((await reader(test, organization.owner)(path)).status).toBe(400);
  });

  it('rejects other methods', async () => {
    const headers = { authorization: organization.owner.basic };
    const response = await test.app.inject({ method: 'POST', url: path, headers });
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('counts nothing of another organization, regardless of the filters', async () => {
    const other = await buildOrganization(test);
    const { threadId } = await arrangeChat(test, other, { tags: ['theirs'], events: [say('Hello')], seconds: 1 });
    await other.scope
      .update('threads')
      .where('id', '=', threadId)
      .set({ properties: JSON.stringify({ rating: { score: 1 } }) })
      .execute();
    await enqueueAllProjections(other.scope);
    const own = await reader(test, organization.owner)(plain(path));
    const queries = [`agent=${other.owner.login}`, 'tag=theirs', 'group=0', 'goal=1', 'greeting=1'];
    for (const query of queries) {
      const { status, body } = await reader(test, organization.owner)(join(query));
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(other.owner.login);
      if (query !== 'group=0' && path !== '/reports/availability') expect(body).toEqual(own.body);
    }
  });
});

describe('an hour that repeats after another hour', () => {
  it('contains the data of both occurrences, and none of the hour in between', async () => {
    const chatham = await buildOrganization(test);
    const beginAt = async (iso: string) => {
      const { threadId } = await arrangeChat(test, chatham, { seconds: 1 });
      await chatham.scope
        .update('threads')
        .where('id', '=', threadId)
        .set({ createdAt: new Date(iso) })
        .execute();
      await enqueueAllProjections(chatham.scope);
    };
    // 02:50 and 03:10, then again after the clock is set back from 03:45 to 02:45.
    for (const at of ['13:05', '13:25', '14:05', '14:06', '14:25']) await beginAt(`2024-04-06T${at}:00Z`);
    const day = 'date_from=2024-04-07&date_to=2024-04-07&timezone=Pacific/Chatham';
    const { body } = await reader(test, chatham.owner)(`/reports/chats/total_chats?${day}`);
    expect(Object.keys(body)).toHaveLength(24);
    expect([body['02:00'], body['03:00'], body['04:00']]).toEqual([{ chats: 3 }, { chats: 2 }, { chats: 0 }]);
  });
});

describe('a deleted agent', () => {
  it('has no statistics, but its chats are still counted', async () => {
    shop = await buildOrganization(test);
    read = reader(test, shop.owner);
    await chat();
    const gone = await buildAgent(shop);
    await shop.scope.update('threadAgents').set({ agentId: gone.login }).execute();
    await enqueueAllProjections(shop.scope);
    const of = async (query: string) =>
      (await read(`/reports/chats/total_chats?${today}&group_by=day${query}`)).body[TODAY].chats;
    expect([await of(''), await of(`&agent=${gone.login}`)]).toEqual([1, 1]);
    await shop.scope.update('agents').where('id', '=', gone.login).set({ deletedAt: test.clock.now() }).execute();
    expect([await of(''), await of(`&agent=${gone.login}`)]).toEqual([1, 0]);
  });
});
