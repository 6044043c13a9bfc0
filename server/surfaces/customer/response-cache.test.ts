import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateAgent } from '#server/domain/support/agents/profile/update-agent.ts';
import { deleteGroup } from '#server/domain/support/groups/delete-group.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, joinChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  renewToken,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildProperty } from '#server/testing/builders/properties.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const MONTH_MS = 31 * 24 * 3600 * 1000;
const GROUP = 5;

const test = useTestApp();
let organization: TestOrganization;
/** Assigned to the chat; the other agent supervises it silently. */
let agent: TestAgent;
let watcher: TestAgent;
let customer: TestCustomer;
let call: CallCustomer;
let chat_id: string;
let thread_id: string;
let eventIds: string[];

const asAgent = async (operation: string, body: object, by = agent): Promise<void> =>
  expect(await callAsAgent(test)(by, operation, body)).toMatchObject({ status: 200 });
const asCustomer = async (operation: string, body: object): Promise<void> =>
  expect(await call(operation, body)).toMatchObject({ status: 200 });
const button = { text: 'More', postback_id: 'more' };
const card = { type: 'rich_message', template_id: 'cards', elements: [{ title: 'A card', buttons: [button] }] };
const user = (login: string) => ({ chat_id, user_id: login, user_type: 'agent', ignore_requester_presence: true });

beforeAll(async () => {
  organization = await buildOrganization(test);
  await buildProperty(organization, 'shop', 'order');
});
beforeEach(async () => {
  agent = await buildAgent(organization, { permission: 'administrator' });
  watcher = await buildAgent(organization, { permission: 'administrator' });
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  const events = [message('one'), card, message('two')];
  const { body } = await call('start_chat', { continuous: true, chat: { thread: { events } } });
  ({ chat_id, thread_id, event_ids: eventIds } = body);
  await asAgent('transfer_chat', { id: chat_id, target: { type: 'agent', ids: [agent.login] } });
  await joinChat(organization, watcher, chat_id, 'agents');
  test.clock.advance(1000);
});

const read = async (as = call) => {
  const [list, chat, threads] = [
    await as('list_chats'),
    await as('get_chat', { chat_id }),
    await as('list_threads', { chat_id }),
  ];
  expect([list.status, chat.status, threads.status]).toEqual([200, 200, 200]);
  return { list: list.body, chat: chat.body, threads: threads.body };
};

/** The current responses, which must equal those without a cache. */
const readChecked = async (as = call) => {
  const cached = await read(as);
  test.context.services.support.responseCache.clear();
  expect(await read(as)).toEqual(cached);
  return cached;
};

const rename = async ({ login }: TestAgent, name: string): Promise<void> => {
  await updateAgent(agentScope(organization, organization.owner, 'owner'), { login, name });
};

const update = (of: string, target: object = {}) =>
  asAgent(`update_${of}_properties`, {
    ...(of === 'chat' ? { id: chat_id } : { chat_id }),
    ...target,
    properties: { shop: { order: 7 } },
  });

const changes: [what: string, change: () => Promise<void>, seen: 'both' | 'chat' | 'neither'][] = [
  ['the customer writes', () => asCustomer('send_event', { chat_id, event: message('more') }), 'both'],
  ['an agent answers', () => asAgent('send_event', { chat_id, event: message('hello') }), 'both'],
  [
    'the supervisor writes a note',
    () => asAgent('send_event', { chat_id, event: { ...message('psst'), visibility: 'agents' } }, watcher),
    'neither',
  ],
  [
    'the customer marks events as seen',
    () => asCustomer('mark_events_as_seen', { chat_id, seen_up_to: test.clock.now().toISOString() }),
    'both',
  ],
  [
    'an agent marks events as seen',
    () => asAgent('mark_events_as_seen', { chat_id, seen_up_to: test.clock.now().toISOString() }),
    'both',
  ],
  [
    'a button is pressed',
    () =>
      asCustomer('send_rich_message_postback', {
        ...{ chat_id, thread_id, event_id: eventIds[1] },
        postback: { id: 'more', toggled: true },
      }),
    'both',
  ],
  ['the newest event has a property', () => update('event', { thread_id, event_id: eventIds[2] }), 'both'],
  ['an older event has a property', () => update('event', { thread_id, event_id: eventIds[0] }), 'chat'],
  ['the thread has a property', () => update('thread', { thread_id }), 'chat'],
  ['the chat has a property', () => update('chat'), 'both'],
  ['a tag is set, which is for agents', () => asAgent('tag_thread', { chat_id, thread_id, tag: 'vip' }), 'neither'],
  [
    'the chat is transferred to another agent',
    () => asAgent('transfer_chat', { id: chat_id, target: { type: 'agent', ids: [organization.owner.login] } }),
    'both',
  ],
  [
    'the chat is transferred to another group, which is then deleted',
    async () => {
      await buildGroup(organization, GROUP);
      await organization.scope.insert('agentGroups', { agentId: agent.login, groupId: GROUP }).execute();
      await asAgent('transfer_chat', { id: chat_id, target: { type: 'group', ids: [GROUP] } });
      expect((await readChecked()).list.chats_summary[0].access.group_ids).toEqual([GROUP]);
      await deleteGroup(organization.scope, { id: GROUP });
    },
    'both',
  ],
  ['an agent joins', () => joinChat(organization, organization.owner, chat_id), 'both'],
  [
    'the supervisor becomes visible',
    () => asAgent('add_user_to_chat', { ...user(watcher.login), visibility: 'all' }),
    'both',
  ],
  ['the supervisor leaves', () => asAgent('remove_user_from_chat', user(watcher.login)), 'neither'],
  ['the agent leaves', () => asAgent('remove_user_from_chat', user(agent.login)), 'both'],
  ['the agent gets another name', () => rename(agent, 'Anna Renamed'), 'both'],
  ['the watcher gets another name', () => rename(watcher, 'Wanda Watcher'), 'neither'],
  [
    'the name of the customer changes after the chat has ended',
    async () => {
      await asCustomer('update_customer', { name: 'Carla' });
      await asCustomer('deactivate_chat', { id: chat_id });
    },
    'both',
  ],
  [
    'session fields are set',
    () => asCustomer('set_customer_session_fields', { session_fields: [{ cart: '3' }] }),
    'both',
  ],
  ['the chat is closed', () => asCustomer('deactivate_chat', { id: chat_id }), 'both'],
  [
    'the chat is resumed',
    async () => {
      await asCustomer('deactivate_chat', { id: chat_id });
      await readChecked();
      await asCustomer('resume_chat', { chat: { id: chat_id }, continuous: true });
    },
    'both',
  ],
];

describe('a cached response', () => {
  it.each(changes)('is current after %s', async (_, change, seen) => {
    const before = await readChecked();
    await change();
    const after = await readChecked();
    if (seen === 'neither') expect(after).toEqual(before);
    else expect(after.chat).not.toEqual(before.chat);
    if (seen === 'chat') {
      expect(after.list).toEqual(before.list);
      expect(after.threads).not.toEqual(before.threads);
    }
    if (seen === 'both') expect(after.list).not.toEqual(before.list);
  });

  it('is current after a change is reverted', async () => {
    const before = await readChecked();
    await rename(agent, 'Somebody Else');
    expect(await readChecked()).not.toEqual(before);
    await rename(agent, 'Alma Agent');
    expect(await readChecked()).toEqual(before);
  });

  it('includes new chats and excludes anonymized ones', async () => {
    await readChecked();
    await call('start_chat', { continuous: true });
    expect((await readChecked()).list).toMatchObject({ total_chats: 2, chats_summary: [{}, { id: chat_id }] });
    await organization.scope.update('chats').where('id', '=', chat_id).set({ anonymized: true }).execute();
    expect((await call('list_chats')).body.chats_summary).toHaveLength(1);
    expect(await call('get_chat', { chat_id })).toMatchObject(errorResponse(422, 'chat_anonymized'));
    expect(await call('list_threads', { chat_id })).toMatchObject(errorResponse(422, 'chat_anonymized'));
  });

  it('omits a property as soon as customers may not read it', async () => {
    await buildProperty(organization, 'shop', 'note');
    await asAgent('update_chat_properties', { id: chat_id, properties: { shop: { note: 'nice' } } });
    const properties = { shop: { note: 'nice' } };
    expect(await readChecked()).toMatchObject({ list: { chats_summary: [{ properties }] }, chat: { properties } });
    await buildProperty(organization, 'shop', 'note', { customer: [] });
    const { list, chat } = await readChecked();
    expect([list.chats_summary[0].properties, chat.properties]).toEqual([{}, {}]);
  });

  it('is not returned to other customers', async () => {
    const stranger = callAs(test, organization, await buildCustomer(organization));
    const own = (await stranger('start_chat', { continuous: true })).body.chat_id;
    const { list } = await readChecked();
    expect((await stranger('list_chats')).body.chats_summary).toMatchObject([{ id: own }]);
    expect(await stranger('get_chat', { chat_id })).toMatchObject(errorResponse(404, 'not_found'));
    expect(await stranger('list_threads', { chat_id })).toMatchObject(errorResponse(404, 'not_found'));
    expect((await call('list_chats')).body).toEqual(list);
  });

  it('is not returned to a banned customer', async () => {
    await readChecked();
    await asAgent('ban_customer', { id: customer.id, ban: { days: 1 } });
    expect(await call('list_chats')).toMatchObject(errorResponse(403, 'customer_banned'));
    expect(await call('get_chat', { chat_id })).toMatchObject(errorResponse(403, 'customer_banned'));
  });

  it('is current after a write in another process', async () => {
    await using other = await startTestApp({ beside: test });
    const there = callAs(other, organization, customer);
    await readChecked();
    const before = await read(there);
    await call('send_event', { chat_id, event: message('from here') });
    const after = await readChecked();
    expect(await read(there)).toEqual(after);
    expect(after).not.toEqual(before);
    await there('send_event', { chat_id, event: message('from there') });
    expect(await readChecked()).toEqual(await read(there));
    expect((await read()).chat.thread.events.at(-1).text).toBe('from there');
  });

  it('is byte-identical over HTTP', async () => {
    const list = () =>
      test.app.inject({
        method: 'POST',
        url: `/v3.5/customer/action/list_chats?organization_id=${organization.id}`,
        headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
        payload: '{}',
      });
    await call('send_event', { chat_id, event: message('Grüße 🎈') });
    const [first, second] = [await list(), await list()];
    expect(second.rawPayload).toEqual(first.rawPayload);
    expect(second.json().chats_summary[0].last_event_per_type.message.event.text).toBe('Grüße 🎈');
    const named = ['content-type', 'content-length', 'access-control-allow-origin', 'cache-control'];
    for (const name of named) expect(second.headers[name]).toBe(first.headers[name]);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  it('contains a next page id that is valid for a month from now', async () => {
    await call('start_chat', { continuous: true });
    const first = (await call('list_chats', { limit: 1 })).body;
    test.clock.advance(MONTH_MS - 1000);
    const later = callAs(test, organization, await renewToken(organization, customer));
    const { next_page_id: page_id } = (await later('list_chats', { limit: 1 })).body;
    expect(page_id).not.toBe(first.next_page_id);
    test.clock.advance(60_000);
    expect(await later('list_chats', { page_id: first.next_page_id })).toMatchObject(errorResponse(400, 'validation'));
    expect((await later('list_chats', { page_id })).status).toBe(200);
  });
});
