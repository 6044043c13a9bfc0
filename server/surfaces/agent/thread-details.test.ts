import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildWebhook } from '#server/testing/builders/webhooks.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { callAs, errorResponse } from '#server/testing/http/call-customer.ts';
import { type Receiver, startReceiver } from '#server/testing/http/receiver.ts';
import { logIn, nextPush } from '../../testing/builders/presence.ts';

const SALES = 7;

const test = useTestApp({ config: { allowPrivateWebhooks: true } });
let organization: TestOrganization;
let other: TestOrganization;
let customer: TestCustomer;
let normal: TestAgent;
let receiver: Receiver;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  receiver = await startReceiver();
  organization = await buildOrganization(test);
  other = await buildOrganization(test);
  customer = await buildCustomer(organization);
  await buildGroup(organization, SALES);
  normal = await buildAgent(organization);
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
});

const call = (agent: TestAgent, operation: string, body: object) => callAsAgent(test)(agent, operation, body);
const startChat = async (groupIds = [0]) => {
  const input = { texts: ['Hello'], continuous: true, groupIds };
  const { chatId: chat_id, threadId: thread_id, eventIds } = await buildChat(organization, customer, input);
  return { chat_id, thread_id, event_id: eventIds[0]! };
};

describe('tag_thread', () => {
  const tagsOf = async ({ chat_id }: { chat_id: string }) =>
    (await call(normal, 'get_chat', { chat_id })).body.thread.tags as string[];

  it('adds a tag once, and untag_thread removes it; agents and webhooks are notified', async () => {
    const { chat_id, thread_id } = await startChat();
    const thread = { chat_id, thread_id };
    for (const action of ['thread_tagged', 'thread_untagged'])
      await buildWebhook(organization, { url: receiver.url, action: action as 'thread_tagged' });
    const socket = await logIn(test, organization.owner);
    for (let times = 0; times < 2; times++)
      expect(await call(normal, 'tag_thread', { ...thread, tag: ' sale ' })).toMatchObject({ status: 200, body: {} });
    expect(await tagsOf(thread)).toEqual(['sale']);
    expect((await nextPush(socket, 'thread_tagged')).payload).toEqual({ ...thread, tag: 'sale' });
    for (let times = 0; times < 2; times++)
      expect(await call(normal, 'untag_thread', { ...thread, tag: 'sale' })).toMatchObject({ status: 200, body: {} });
    expect(await tagsOf(thread)).toEqual([]);
    expect((await nextPush(socket, 'thread_untagged')).payload).toEqual({ ...thread, tag: 'sale' });
    expect(socket.unread()).not.toContain('thread_tagged');
    await test.runDueJobs();
    const delivered = receiver.received.map(({ body }) => `${body.action} ${body.payload.tag}`);
    expect(delivered.toSorted()).toEqual(['thread_tagged sale', 'thread_untagged sale']);
    await socket.close();
  });

  it('keeps both of two concurrent tags', async () => {
    const thread = await startChat();
    const tags = Array.from({ length: 8 }, (_, at) => `tag ${at}`);
    await Promise.all(tags.map((tag) => call(normal, 'tag_thread', { ...thread, tag })));
    expect((await tagsOf(thread)).toSorted()).toEqual(tags);
  });

  it('rejects empty tags, unknown threads and inaccessible chats', async () => {
    const [thread, another, hidden] = [await startChat(), await startChat(), await startChat([SALES])];
    const tag = (agent: TestAgent, body: object) => call(agent, 'tag_thread', { tag: 'sale', ...body });
    expect(await tag(normal, { ...thread, tag: '  ' })).toMatchObject(errorResponse(400, 'validation'));
    const mixed = { chat_id: thread.chat_id, thread_id: another.thread_id };
    expect(await tag(normal, mixed)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await tag(normal, hidden)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await tag(other.owner, thread)).toMatchObject(errorResponse(404, 'not_found'));
    const full = Array.from({ length: 100 }, (_, at) => `tag ${at}`);
    await organization.scope.update('threads').where('id', '=', thread.thread_id).set({ tags: full }).execute();
    expect(await tag(normal, thread)).toMatchObject(errorResponse(422, 'limit_reached'));
  });
});

describe('properties', () => {
  const properties = { rating: { comment: 'Good' } };
  const names = { rating: ['comment'] };

  it.each(['chat', 'thread', 'event'])('of a %s can be set and deleted, and the customer is notified', async (of) => {
    const address = await startChat();
    const target = of === 'chat' ? { id: address.chat_id } : address;
    const read = async () => {
      const { body } = await callAs(test, organization, customer)('get_chat', { chat_id: address.chat_id });
      const { thread, properties: own } = body;
      return { chat: own, thread: thread.properties, event: thread.events[0].properties ?? {} }[of];
    };
    expect(await call(normal, `update_${of}_properties`, { ...target, properties })).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject(properties);
    expect(await call(normal, `delete_${of}_properties`, { ...target, properties: names })).toMatchObject({
      status: 200,
    });
    expect(await read()).not.toHaveProperty('rating.comment');
  });

  it.each(['chat', 'thread', 'event'])('of a %s that is inaccessible or not defined are rejected', async (of) => {
    const [visible, hidden] = [await startChat(), await startChat([SALES])];
    const addressOf = ({ chat_id, ...rest }: typeof visible) =>
      of === 'chat' ? { id: chat_id } : { chat_id, ...rest };
    const update = (agent: TestAgent, address: object, given: object = properties) =>
      call(agent, `update_${of}_properties`, { ...address, properties: given });
    expect(await update(normal, addressOf(hidden))).toMatchObject(errorResponse(404, 'not_found'));
    expect(await update(other.owner, addressOf(visible))).toMatchObject(errorResponse(404, 'not_found'));
    expect(await update(normal, addressOf(visible), { no: { such: 1 } })).toMatchObject(
      errorResponse(400, 'validation'),
    );
    expect(await update(normal, addressOf(visible), { rating: { score: 7 } })).toMatchObject(
      errorResponse(400, 'validation'),
    );
    const remove = { ...addressOf(visible), properties: names };
    expect(await call(other.owner, `delete_${of}_properties`, remove)).toMatchObject(errorResponse(404, 'not_found'));
  });
});
