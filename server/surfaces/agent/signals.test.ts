import { beforeAll, describe, expect, it } from 'vitest';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  agentScope,
  buildChat,
  customerScope,
  joinChat,
  messageDraft,
  richDraft,
} from '#server/testing/builders/chats.ts';
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
import { errorResponse, message } from '#server/testing/http/call-customer.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';
import { logIn, nextPush } from '../../testing/builders/presence.ts';

const SALES = 7;

const test = useTestApp();
let organization: TestOrganization;
let other: TestOrganization;
let customer: TestCustomer;
let normal: TestAgent;
let guest: TestAgent;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  organization = await buildOrganization(test);
  other = await buildOrganization(test);
  customer = await buildCustomer(organization);
  await buildGroup(organization, SALES);
  normal = await buildAgent(organization);
  guest = await buildAgent(organization);
  await organization.scope.update('agents').set({ maxChatsCount: 100 }).execute();
});

const call = (agent: TestAgent, operation: string, body: object) => callAsAgent(test)(agent, operation, body);
const startChat = (groupIds = [0]) => {
  test.clock.advance(1000);
  return buildChat(organization, customer, { texts: ['Hello'], continuous: true, groupIds });
};
const logInCustomer = async (): Promise<SocketClient> => {
  const address = `${test.app.listeningOrigin}/v3.5/customer/rtm/ws?organization_id=${organization.id}`;
  const client = await connectSocket(address);
  await client.request('login', { token: `Bearer ${customer.token}` });
  return client;
};
const closeAll = (...clients: Pick<SocketClient, 'close'>[]) => Promise.all(clients.map((client) => client.close()));
const aliasOf = ({ login }: TestAgent) => test.context.services.secrets.pseudonym(`${organization.id} ${login}`);
const say = (agent: TestAgent, chatId: string, text: string) =>
  sendEvent(agentScope(organization, agent), { chatId, event: messageDraft(text), attachToLastThread: false });

describe('send_typing_indicator', () => {
  it('is shown to agents, and to the customer if the agent is visible', async () => {
    const { chatId: chat_id, threadId: thread_id } = await startChat();
    await joinChat(organization, normal, chat_id);
    const [owner, visitor] = [await logIn(test, organization.owner), await logInCustomer()];
    const typing = { chat_id, is_typing: true };
    expect(await call(normal, 'send_typing_indicator', typing)).toMatchObject({ status: 200, body: {} });
    const timestamp = Math.floor(test.clock.now().getTime() / 1000);
    const shown = { visibility: 'all', recipients: 'all', timestamp, is_typing: true };
    expect((await nextPush(owner, 'incoming_typing_indicator')).payload).toEqual({
      ...{ chat_id, thread_id },
      typing_indicator: { author_id: normal.login, ...shown },
    });
    expect((await nextPush(visitor, 'incoming_typing_indicator')).payload.typing_indicator).toEqual({
      author_id: aliasOf(normal),
      ...shown,
    });
    await call(normal, 'send_typing_indicator', { ...typing, visibility: 'agents' });
    await call(guest, 'send_typing_indicator', typing);
    for (let count = 0; count < 2; count++)
      expect((await nextPush(owner, 'incoming_typing_indicator')).payload.typing_indicator.visibility).toBe('agents');
    await say(normal, chat_id, 'Done');
    await nextPush(visitor, 'incoming_event');
    expect(visitor.unread()).not.toContain('incoming_typing_indicator');
    await closeAll(owner, visitor);
  });

  it('rejects chats that are closed, inaccessible or of another organization', async () => {
    const { chatId } = await buildChat(organization, customer, { active: false });
    const hidden = await startChat([SALES]);
    const type = (agent: TestAgent, chat_id: string) =>
      call(agent, 'send_typing_indicator', { chat_id, is_typing: false });
    expect(await type(normal, chatId)).toMatchObject(errorResponse(422, 'chat_inactive'));
    expect(await type(normal, hidden.chatId)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await type(other.owner, hidden.chatId)).toMatchObject(errorResponse(404, 'not_found'));
  });
});

describe('a chat outside the agent’s groups', () => {
  it('is pushed while the agent takes part in it', async () => {
    const { chatId: chat_id } = await startChat([SALES]);
    const socket = await logIn(test, guest);
    await say(organization.owner, chat_id, 'Before');
    const added = { chat_id, user_id: guest.login, user_type: 'agent' };
    await call(organization.owner, 'add_user_to_chat', { ...added, visibility: 'agents' });
    const push = await nextPush(socket, 'user_added_to_chat');
    expect(push.payload).toMatchObject({
      chat_id,
      user: { id: guest.login, visibility: 'agents', present: true },
      user_type: 'agent',
      reason: 'manual',
      requester_id: organization.owner.login,
    });
    await say(organization.owner, chat_id, 'Between');
    while ((await nextPush(socket, 'incoming_event')).payload.event.text !== 'Between');
    await call(organization.owner, 'remove_user_from_chat', added);
    expect((await nextPush(socket, 'user_removed_from_chat')).payload).toMatchObject({ user_id: guest.login });
    await say(organization.owner, chat_id, 'After');
    expect(await socket.request('ping')).toMatchObject({ success: true });
    expect(socket.unread()).not.toContain('incoming_event');
    await closeAll(socket);
  });

  it('is pushed after a login too', async () => {
    const { chatId: chat_id } = await startChat([SALES]);
    const added = { chat_id, user_id: guest.login, user_type: 'agent', visibility: 'all' };
    await call(organization.owner, 'add_user_to_chat', { ...added, ignore_requester_presence: true });
    const socket = await logIn(test, guest);
    expect(socket.answer.payload.chats_summary[0].id).toBe(chat_id);
    await say(organization.owner, chat_id, 'Hello again');
    expect((await nextPush(socket, 'incoming_event')).payload).toMatchObject({
      chat_id,
      event: { text: 'Hello again' },
    });
    await closeAll(socket);
  });
});

describe('follow_chat', () => {
  it('is sent to the agent’s own sockets', async () => {
    const { chatId: id } = await startChat();
    const [own, owner] = [await logIn(test, normal), await logIn(test, organization.owner)];
    await call(normal, 'follow_chat', { id });
    expect((await nextPush(own, 'incoming_chat')).payload).toMatchObject({ requester_id: normal.login, chat: { id } });
    await call(normal, 'unfollow_chat', { id });
    expect((await nextPush(own, 'chat_unfollowed')).payload).toEqual({ chat_id: id });
    await say(normal, id, 'Hello');
    await nextPush(owner, 'incoming_event');
    expect(owner.unread()).toEqual([]);
    await closeAll(own, owner);
  });
});

describe('send_rich_message_postback', () => {
  it('can be pressed by an agent who is visible to the customer', async () => {
    const presser = await buildAgent(organization);
    const { chatId: chat_id, threadId: thread_id } = await startChat();
    const scope = customerScope(organization, customer);
    const event = richDraft('more');
    const { eventId: event_id } = await sendEvent(scope, { chatId: chat_id, event, attachToLastThread: false });
    const postback = { chat_id, thread_id, event_id, postback: { id: 'more', toggled: true } };
    expect(await call(presser, 'send_rich_message_postback', postback)).toMatchObject(
      errorResponse(403, 'authorization'),
    );
    await joinChat(organization, presser, chat_id);
    const visitor = await logInCustomer();
    expect(await call(presser, 'send_rich_message_postback', postback)).toMatchObject({ status: 200 });
    const push = await nextPush(visitor, 'incoming_rich_message_postback');
    expect(push.payload.user_id).toBe(aliasOf(presser));
    expect(await call(other.owner, 'send_rich_message_postback', postback)).toMatchObject(
      errorResponse(404, 'not_found'),
    );
    await closeAll(visitor);
  });
});

describe('mark_events_as_seen', () => {
  it('is pushed to the customer for visible agents', async () => {
    const { chatId: chat_id } = await startChat();
    await joinChat(organization, normal, chat_id);
    const visitor = await logInCustomer();
    test.clock.advance(1000);
    const seen_up_to = test.clock.now().toISOString();
    expect(await call(normal, 'mark_events_as_seen', { chat_id, seen_up_to })).toMatchObject({ status: 200 });
    expect((await nextPush(visitor, 'events_marked_as_seen')).payload.user_id).toBe(aliasOf(normal));
    expect(await call(other.owner, 'mark_events_as_seen', { chat_id, seen_up_to })).toMatchObject(
      errorResponse(404, 'not_found'),
    );
    await closeAll(visitor);
  });
});

describe('multicast', () => {
  const content = { hello: 'there' };

  it('reaches the named recipients', async () => {
    const inSales = await buildAgent(organization, { groupIds: [SALES] });
    const [sales, plain, visitor] = [await logIn(test, inSales), await logIn(test, guest), await logInCustomer()];
    const recipients = { agents: { groups: [SALES] }, customers: { ids: [customer.id, 'nobody'] } };
    expect(await call(normal, 'multicast', { recipients, content })).toMatchObject({ status: 200, body: {} });
    const payload = { author_id: normal.login, type: 'lc2', content };
    expect((await nextPush(sales, 'incoming_multicast')).payload).toEqual(payload);
    expect((await nextPush(visitor, 'incoming_multicast')).payload).toEqual({ ...payload, author_id: aliasOf(normal) });
    const toOne = { recipients: { agents: { ids: [guest.login.toUpperCase()] } }, content, type: 'own' };
    await call(normal, 'multicast', toOne);
    expect((await nextPush(plain, 'incoming_multicast')).payload).toEqual({ ...payload, type: 'own' });
    await call(normal, 'multicast', { recipients: { agents: { all: true } }, content });
    for (const client of [plain, sales])
      expect((await nextPush(client, 'incoming_multicast')).payload.type).toBe('lc2');
    expect([...plain.unread(), ...sales.unread(), ...visitor.unread()]).not.toContain('incoming_multicast');
    await closeAll(sales, plain, visitor);
  });

  it('rejects empty recipients and reaches no other organization', async () => {
    const foreign = await logIn(test, other.owner);
    expect(await call(normal, 'multicast', { recipients: {}, content })).toMatchObject(
      errorResponse(400, 'validation'),
    );
    expect(await call(normal, 'multicast', { recipients: { agents: {} }, content })).toMatchObject(
      errorResponse(400, 'validation'),
    );
    const recipients = { agents: { all: true, ids: [other.owner.login] } };
    await call(normal, 'multicast', { recipients, content });
    await call(other.owner, 'multicast', { recipients, content: { own: 'word' } });
    expect((await nextPush(foreign, 'incoming_multicast')).payload.content).toEqual({ own: 'word' });
    await closeAll(foreign);
  });
});

describe('send_event', () => {
  it('accepts every type of event that agents may send, including system messages', async () => {
    const { chatId: chat_id } = await startChat();
    const said = { type: 'system_message', system_message_type: 'bot_note', text: 'Checked', text_vars: { by: 'bot' } };
    const card = { type: 'rich_message', template_id: 'sticker', elements: [{ title: 'Hi' }] };
    for (const event of [said, card, { type: 'custom', content: { a: 1 } }, message('Hi')])
      expect(await call(normal, 'send_event', { chat_id, event }), event.type).toMatchObject({ status: 200 });
    const { body } = await call(normal, 'get_chat', { chat_id });
    const [system] = body.thread.events.filter((event: { type: string }) => event.type === 'system_message').slice(-1);
    expect(system).toMatchObject({ system_message_type: 'bot_note', text: 'Checked', text_vars: { by: 'bot' } });
    expect(system).not.toHaveProperty('author_id');
    const nothing = { type: 'system_message', text: 'No type' };
    expect(await call(normal, 'send_event', { chat_id, event: nothing })).toMatchObject(
      errorResponse(400, 'validation'),
    );
  });
});
