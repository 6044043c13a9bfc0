import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildProperty } from '#server/testing/builders/properties.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
let id: string;
let firstThread: string;

beforeAll(async () => {
  organization = await buildOrganization(test);
  await buildProperty(organization, 'shop', 'a');
  await buildProperty(organization, 'shop', 'b');
  await buildProperty(organization, 'other', 'c');
  await buildGroup(organization, 2);
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  const started = await call('start_chat', {
    chat: { properties: { shop: { a: 1, b: 2 } }, thread: { events: [message('one')] } },
  });
  ({ chat_id: id, thread_id: firstThread } = started.body);
});

describe('deactivate_chat', () => {
  it('closes the open thread, once', async () => {
    expect(await call('deactivate_chat', { id })).toMatchObject({ status: 200, body: {} });
    const { thread, users } = (await call('get_chat', { chat_id: id })).body;
    expect(thread).toMatchObject({ id: firstThread, active: false });
    expect(thread.events.at(-1)).toMatchObject({
      type: 'system_message',
      system_message_type: 'manual_archived_customer',
    });
    expect(thread.events.at(-1)).not.toHaveProperty('author_id');
    expect(users.every(({ present }: { present: boolean }) => !present)).toBe(true);
    expect(await call('deactivate_chat', { id })).toMatchObject(errorResponse(422, 'chat_inactive'));
  });

  it('succeeds for only one of two concurrent requests', async () => {
    const answers = await Promise.all([call('deactivate_chat', { id }), call('deactivate_chat', { id })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  it('finds only chats of the customer', async () => {
    const stranger = callAs(test, organization, await buildCustomer(organization));
    expect(await stranger('deactivate_chat', { id })).toMatchObject(errorResponse(404, 'not_found'));
    expect(await call('deactivate_chat', { id: 'NOSUCHCHAT' })).toMatchObject(errorResponse(404, 'not_found'));
    for (const body of [{}, { id: '' }, { id: 1 }, { id: null }])
      expect(await call('deactivate_chat', body)).toMatchObject(errorResponse(400, 'validation'));
  });
});

describe('resume_chat', () => {
  const resume = (chat: object = {}, input: object = {}) => call('resume_chat', { chat: { id, ...chat }, ...input });
  const close = () => call('deactivate_chat', { id });

  it('opens a new thread with its own events', async () => {
    await close();
    test.clock.advance(1000);
    const { status, body } = await resume({ thread: { events: [message('again')] } });
    expect(status).toBe(200);
    expect(body).toEqual({ thread_id: expect.any(String), event_ids: [`${body.thread_id}_1`] });
    const { thread, users } = (await call('get_chat', { chat_id: id })).body;
    expect(thread).toMatchObject({ id: body.thread_id, active: true, previous_thread_id: firstThread });
    expect(users[0]).toMatchObject({ present: true, events_seen_up_to: thread.events[0].created_at });
    const first = (await call('get_chat', { chat_id: id, thread_id: firstThread })).body.thread;
    expect(first).toMatchObject({ next_thread_id: body.thread_id, active: false });
  });

  it('returns no event ids without events', async () => {
    await close();
    expect((await resume()).body).toEqual({ thread_id: expect.any(String) });
  });

  it('rejects a chat that is active', async () => {
    expect(await resume()).toMatchObject(errorResponse(400, 'validation'));
  });

  it('succeeds for only one of two concurrent requests', async () => {
    await close();
    const answers = await Promise.all([resume(), resume()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await call('list_threads', { chat_id: id })).body.found_threads).toBe(2);
  });

  it('adds properties to those of the chat', async () => {
    await close();
    await resume({ properties: { shop: { b: 3 }, other: { c: 4 } } });
    expect((await call('get_chat', { chat_id: id })).body.properties).toEqual({
      shop: { a: 1, b: 3 },
      other: { c: 4 },
    });
  });

  it('can create another archived thread', async () => {
    await close();
    expect((await resume({ thread: { events: [message('note')] } }, { active: false })).status).toBe(200);
    expect((await call('get_chat', { chat_id: id })).body.thread).toMatchObject({
      active: false,
      events: [{ text: 'note' }],
    });
    expect((await resume()).status).toBe(200);
  });

  it('requires an online agent unless the chat is continuous, a mode that is kept until it is changed', async () => {
    await close();
    const access = { group_ids: [2] };
    expect(await resume({ access })).toMatchObject(errorResponse(422, 'groups_offline'));
    expect((await resume({ access }, { continuous: true })).status).toBe(200);
    await close();
    expect((await resume({ access })).status).toBe(200);
    await close();
    expect(await resume({ access }, { continuous: false })).toMatchObject(errorResponse(422, 'groups_offline'));
    expect(await resume({ access: { group_ids: [99] } })).toMatchObject(errorResponse(404, 'group_not_found'));
  });

  it('stops at fifty active chats', async () => {
    await close();
    await Promise.all(Array.from({ length: 50 }, () => call('start_chat', { continuous: true })));
    expect(await resume()).toMatchObject(errorResponse(422, 'limit_reached'));
    expect((await resume({}, { active: false })).status).toBe(200);
  });

  it('rejects a custom_id that the chat already has, and rolls back everything', async () => {
    await call('send_event', { chat_id: id, event: message('x', { custom_id: 'seen' }) });
    await close();
    const events = [message('new'), message('y', { custom_id: 'seen' })];
    expect(await resume({ thread: { events } })).toMatchObject(errorResponse(400, 'validation'));
    expect((await call('list_threads', { chat_id: id })).body.found_threads).toBe(1);
  });

  it('finds only chats of the customer', async () => {
    await close();
    const stranger = callAs(test, organization, await buildCustomer(organization));
    expect(await stranger('resume_chat', { chat: { id } })).toMatchObject(errorResponse(404, 'not_found'));
    expect(await call('resume_chat', { chat: { id: 'NOSUCHCHAT' } })).toMatchObject(errorResponse(404, 'not_found'));
  });

  it('is impossible on an anonymized chat', async () => {
    await close();
    await organization.scope.update('chats').where('id', '=', id).set({ anonymized: true }).execute();
    expect(await resume()).toMatchObject(errorResponse(422, 'chat_anonymized'));
    expect(await call('get_chat', { chat_id: id })).toMatchObject(errorResponse(422, 'chat_anonymized'));
  });

  it.each([{}, { chat: null }, { chat: {} }, { chat: { id: '' } }, { chat: { id: 7 } }, { chat: 'x' }])(
    'rejects %j',
    async (body) => expect(await call('resume_chat', body)).toMatchObject(errorResponse(400, 'validation')),
  );
});

describe('get_chat', () => {
  it('returns the latest or the requested thread', async () => {
    await call('deactivate_chat', { id });
    const { thread_id } = (await call('resume_chat', { chat: { id } })).body;
    expect((await call('get_chat', { chat_id: id })).body.thread.id).toBe(thread_id);
    expect((await call('get_chat', { chat_id: id, thread_id: firstThread })).body.thread.id).toBe(firstThread);
  });

  it('finds only chats of the customer, and threads of that chat', async () => {
    const other = (await call('start_chat')).body;
    const stranger = callAs(test, organization, await buildCustomer(organization));
    expect(await stranger('get_chat', { chat_id: id })).toMatchObject(errorResponse(404, 'not_found'));
    expect(await call('get_chat', { chat_id: 'NOSUCHCHAT' })).toMatchObject(errorResponse(404, 'not_found'));
    expect(await call('get_chat', { chat_id: id, thread_id: other.thread_id })).toMatchObject(
      errorResponse(404, 'not_found'),
    );
    expect(await call('get_chat', {})).toMatchObject(errorResponse(400, 'validation'));
  });
});
