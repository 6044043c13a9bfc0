import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const SALES = 7;
const HOUR_MS = 3600 * 1000;

const test = useTestApp();
let organization: TestOrganization;
let other: TestOrganization;
let customer: TestCustomer;
let anna: TestAgent;
let bert: TestAgent;
/** One thread per hour, oldest first; the last one is active. */
const threads: string[] = [];
const chats: string[] = [];

const call = (agent: TestAgent, operation: string, body: object = {}) => callAsAgent(test)(agent, operation, body);
const asCustomer = (operation: string, body: object) => callAs(test, organization, customer)(operation, body);

const form = (formType: string, answer: object | string) => ({
  type: 'filled_form',
  form_id: 'own',
  form_type: formType,
  fields: [{ type: typeof answer === 'string' ? 'question' : 'radio', id: 'q', label: 'Why?', answer }],
});

const open = async (text: string, groupIds: number[], events: object[] = []) => {
  test.clock.advance(HOUR_MS);
  const chat = { access: { group_ids: groupIds }, thread: { events: [message(text), ...events] } };
  const { body } = await asCustomer('start_chat', { chat, continuous: true });
  threads.push(body.thread_id);
  chats.push(body.chat_id);
  return { chat_id: body.chat_id as string, thread_id: body.thread_id as string };
};
const close = (id: string) => asCustomer('deactivate_chat', { id });

beforeAll(async () => {
  organization = await buildOrganization(test, { online: false });
  other = await buildOrganization(test);
  customer = await buildCustomer(organization);
  await buildGroup(organization, SALES);
  anna = await buildAgent(organization, { login: 'anna@shop.test' });
  bert = await buildAgent(organization, { login: 'bert@shop.test', groupIds: [SALES] });
  const { owner } = organization;

  const first = await open('A refund, please', [0], [form('prechat', { id: 'b', label: 'Billing' })]);
  await call(anna, 'send_event', { chat_id: first.chat_id, event: message('Certainly') });
  test.clock.advance(1000);
  await call(bert, 'send_event', { chat_id: first.chat_id, event: message('And more') });
  await call(anna, 'tag_thread', { ...first, tag: 'refund' });
  await call(anna, 'tag_thread', { ...first, tag: 'urgent' });
  await call(anna, 'update_thread_properties', { ...first, properties: { rating: { score: 1 } } });
  await close(first.chat_id);

  const second = await open('100% of it', [SALES], [form('postchat', 'Because')]);
  await call(bert, 'send_event', { chat_id: second.chat_id, event: message('Hello') });
  await call(owner, 'send_event', {
    chat_id: second.chat_id,
    event: { ...message('a secret word'), visibility: 'agents' },
  });
  await call(owner, 'tag_thread', { ...second, tag: 'refund' });
  await call(owner, 'update_thread_properties', { ...second, properties: { lc2: { greeting_id: 5 } } });
  await close(second.chat_id);

  const third = await open('Nobody answers', [0]);
  const { scope } = organization;
  const hit = { visitId: crypto.randomUUID(), customerId: customer.id, groupId: 0, threadId: third.thread_id };
  const reachedAt = scope.now();
  const visit = { id: hit.visitId, customerId: customer.id, number: 99, groupId: 0, startedAt: reachedAt };
  await scope
    .insert('visits', { ...visit, lastSeenAt: reachedAt, onlineUntil: null, referrer: null, userAgent: null })
    .execute();
  await scope.insert('goals', { id: 1, name: 'Buy', type: 'api', fields: '{}', createdAt: reachedAt }).execute();
  await scope.insert('goalHits', { ...hit, goalId: 1, sale: JSON.stringify({ price: '9.99' }), reachedAt }).execute();
  await close(third.chat_id);

  await open('Still talking', [0]);
});

const search = async (filters: object, agent: TestAgent = organization.owner): Promise<number[]> => {
  const { status, body } = await call(agent, 'list_archives', { filters, sort_order: 'asc' });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.found_chats).toBe(body.chats.length);
  return body.chats.map(({ thread }: { thread: { id: string } }) => threads.indexOf(thread.id) + 1);
};
const hour = (number: number) => new Date(Date.UTC(2026, 2, 2, 10, number * 60)).toISOString();

describe('list_archives', () => {
  it('returns archived threads, each with its chat', async () => {
    const { body } = await call(organization.owner, 'list_archives');
    expect(body.found_chats).toBe(3);
    expect(body.chats.map(({ id }: { id: string }) => id)).toEqual(chats.slice(0, 3).toReversed());
    expect(body.chats[2]).toMatchObject({
      access: { group_ids: [0] },
      is_followed: false,
      users: [{ id: customer.id, type: 'customer' }, { id: anna.login }, { id: bert.login }],
      thread: { tags: ['refund', 'urgent'], active: false, user_ids: [customer.id, anna.login, bert.login] },
    });
  });

  it.each<[string, object, number[]]>([
    ['nothing', {}, [1, 2, 3]],
    ['a word of a message', { query: 'REFUND' }, [1]],
    ['a character that is special in SQL', { query: '100%' }, [2]],
    ['a word of a note', { query: 'secret' }, [2]],
    ['threads', { thread_ids: ['NOWHERE'] }, []],
    ['groups', { group_ids: [SALES, 999] }, [2]],
    ['a time', { from: hour(1.5) }, [2, 3]],
    ['a span of time', { from: hour(1.5), to: hour(2.5) }, [2]],
    ['agents', { agents: { values: ['ANNA@shop.test'] } }, [1]],
    ['any of some agents', { agents: { values: ['anna@shop.test', 'bert@shop.test'] } }, [1, 2]],
    [
      'all of some agents',
      { agents: { values: ['anna@shop.test', 'bert@shop.test'], require_every_value: true } },
      [1],
    ],
    ['no agent', { agents: { exists: false } }, [3]],
    ['all but some agents', { agents: { exclude_values: ['anna@shop.test'] } }, [2, 3]],
    ['tags', { tags: { values: ['refund'] } }, [1, 2]],
    ['all of some tags', { tags: { values: ['refund', 'urgent'], require_every_value: true } }, [1]],
    ['all but some tags', { tags: { values: ['refund'], exclude_values: ['urgent'] } }, [2]],
    ['any tag', { tags: { exists: true } }, [1, 2]],
    ['goals', { goals: { values: [1] } }, [3]],
    ['sales', { sales: { exists: true } }, [3]],
    ['types of events', { event_types: { values: ['filled_form'] } }, [1, 2]],
    ['without types of events', { event_types: { exclude_values: ['filled_form'] } }, [3]],
    ['a survey', { surveys: [{ type: 'pre_chat' }] }, [1]],
    ['no survey', { surveys: [{ type: 'pre_chat', exists: false }] }, [2, 3]],
    ['the choice in a survey', { surveys: [{ type: 'pre_chat', answer_id: 'b' }] }, [1]],
    ['another choice', { surveys: [{ type: 'pre_chat', values: ['c'] }] }, []],
    ['the text in a survey', { surveys: [{ type: 'post_chat', values: ['Because'] }] }, [2]],
    ['a greeting', { greetings: { values: [5] } }, [2]],
    ['no greeting', { greetings: { exists: false } }, [1, 3]],
    ['an answer', { agent_response: { exists: true } }, [1, 2]],
    ['who answered', { agent_response: { agents: { values: ['bert@shop.test'] } } }, [1, 2]],
    ['who answered first', { agent_response: { first: true, agents: { values: ['bert@shop.test'] } } }, [2]],
    ['answers of a group', { agent_response: { first: true, groups: { values: [SALES] } } }, [2]],
    ['properties', { properties: { rating: { score: { values: [1] } } } }, [1]],
    ['absent properties', { properties: { rating: { score: { exists: false } } } }, [2, 3]],
    ['nulls', { query: null, agents: null, tags: { values: null }, surveys: null }, [1, 2, 3]],
  ])('filters by %s', async (_, filters, found) => {
    expect(await search(filters)).toEqual(found);
  });

  it('returns only chats the agent can access', async () => {
    expect(await search({}, anna)).toEqual([1, 3]);
    expect(await search({}, bert)).toEqual([1, 2, 3]);
    expect(await search({}, other.owner)).toEqual([]);
    expect(await search({ thread_ids: threads }, other.owner)).toEqual([]);
  });

  it('keeps the filters across pages', async () => {
    const filters = { tags: { exists: true } };
    const { body: first } = await call(organization.owner, 'list_archives', { filters, limit: 1 });
    expect(first).toMatchObject({ found_chats: 2, chats: [{ id: chats[1] }] });
    expect(first).not.toHaveProperty('previous_page_id');
    const { body: second } = await call(organization.owner, 'list_archives', { page_id: first.next_page_id });
    expect(second).toMatchObject({ found_chats: 2, chats: [{ id: chats[0] }] });
    expect(second).not.toHaveProperty('next_page_id');
    const back = await call(organization.owner, 'list_archives', { page_id: second.previous_page_id });
    expect(back.body.chats[0].id).toBe(chats[1]);
    const both = await call(organization.owner, 'list_archives', { page_id: first.next_page_id, filters });
    expect(both).toMatchObject(errorResponse(400, 'validation'));
    const foreign = await call(anna, 'list_archives', { page_id: first.next_page_id });
    expect(foreign).toMatchObject(errorResponse(400, 'validation'));
  });

  it('rejects invalid combinations', async () => {
    const refuses = async (body: object) =>
      expect(await call(anna, 'list_archives', body)).toMatchObject(errorResponse(400, 'validation'));
    await refuses({ filters: { from: hour(2), to: hour(1) } });
    await refuses({ filters: { from: 'yesterday' } });
    await refuses({ filters: { surveys: [{ type: 'other' }] } });
    await refuses({ filters: { goals: { values: ['one'] } } });
    await refuses({ limit: 101 });
  });
});

describe('list_threads', () => {
  it('returns the threads that started within a time range', async () => {
    const [chat_id] = chats as [string];
    test.clock.advance(HOUR_MS);
    const { body: resumed } = await asCustomer('resume_chat', { chat: { id: chat_id }, continuous: true });
    const list = (body: object, agent = anna) => call(agent, 'list_threads', { chat_id, ...body });
    const idsOf = (answer: { body: { threads: { id: string }[] } }) => answer.body.threads.map(({ id }) => id);
    expect(idsOf(await list({}))).toEqual([resumed.thread_id, threads[0]]);
    expect(idsOf(await list({ filters: { to: hour(1.5) } }))).toEqual([threads[0]]);
    expect(idsOf(await list({ filters: { from: hour(2) }, limit: 1 }))).toEqual([resumed.thread_id]);
    expect((await list({ filters: { from: hour(2) } })).body.found_threads).toBe(1);
    expect((await list({ min_events_count: 2 })).body.threads[0].tags).toEqual([]);
    const page = (await list({ limit: 1, filters: { from: hour(1), to: hour(9) } })).body;
    expect(idsOf(await list({ page_id: page.next_page_id }))).toEqual([threads[0]]);
    const both = await list({ min_events_count: 2, filters: { from: hour(1) } });
    expect(both).toMatchObject(errorResponse(400, 'validation'));
    expect(await list({}, other.owner)).toMatchObject(errorResponse(404, 'not_found'));
  });
});
