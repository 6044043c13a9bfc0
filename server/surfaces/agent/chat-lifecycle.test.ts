import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, joinChat } from '#server/testing/builders/chats.ts';
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

const test = useTestApp();
let organization: TestOrganization;
let other: TestOrganization;
let customer: TestCustomer;
let administrator: TestAgent;
let normal: TestAgent;

beforeAll(async () => {
  organization = await buildOrganization(test);
  other = await buildOrganization(test);
  customer = await buildCustomer(organization);
  await buildGroup(organization, SALES);
  administrator = await buildAgent(organization, { permission: 'administrator' });
  normal = await buildAgent(organization);
});

const call = (agent: TestAgent, operation: string, body: object = {}) => callAsAgent(test)(agent, operation, body);
const asCustomer = (operation: string, body: object) => callAs(test, organization, customer)(operation, body);
const startChat = async (groupIds = [0]): Promise<string> => {
  test.clock.advance(1000);
  return (await buildChat(organization, customer, { texts: ['Hello'], continuous: true, groupIds })).chatId;
};
const archive = async (): Promise<string> => {
  const chatId = await startChat();
  await asCustomer('deactivate_chat', { id: chatId });
  return chatId;
};
const usersOf = ({ body }: { body: { users: { id: string; present: boolean }[] } }) =>
  body.users.filter(({ present }) => present).map(({ id }) => id);
const withCustomer = (id = customer.id) => [{ id, type: 'customer' }];

describe('start_chat', () => {
  it('starts a chat with a customer and assigns it to the agent', async () => {
    const chat = {
      users: withCustomer(),
      access: { group_ids: [SALES] },
      thread: { events: [message('Can I help?')], properties: { rating: { score: 1 } } },
    };
    const { status, body } = await call(normal, 'start_chat', { chat, continuous: true });
    expect({ status, events: body.event_ids }).toEqual({ status: 200, events: [`${body.thread_id}_1`] });
    const seen = await call(normal, 'get_chat', { chat_id: body.chat_id });
    expect(seen.body).toMatchObject({
      access: { group_ids: [SALES] },
      thread: { active: true, events: [{ author_id: normal.login }], properties: { rating: { score: 1 } } },
    });
    expect(usersOf(seen)).toEqual([customer.id, normal.login]);
    const own = await asCustomer('get_chat', { chat_id: body.chat_id });
    expect(own.body.thread.events[0].text).toBe('Can I help?');
    const { assigneeId } = await organization.scope
      .from('chats')
      .where('id', '=', body.chat_id)
      .select('assigneeId')
      .executeTakeFirstOrThrow();
    expect(assigneeId).toBe(normal.login);
  });

  it('works while no agent is online, adds other agents, and can create an archived thread', async () => {
    const otherShop = await buildOrganization(test, { online: false });
    const visitor = await buildCustomer(otherShop);
    const colleague = await buildAgent(otherShop);
    const users = [...withCustomer(visitor.id), { id: colleague.login, type: 'agent' }];
    const { body } = await call(otherShop.owner, 'start_chat', { chat: { users } });
    const seen = await call(colleague, 'get_chat', { chat_id: body.chat_id });
    expect(usersOf(seen).toSorted()).toEqual([visitor.id, colleague.login, otherShop.owner.login].toSorted());
    const closed = await call(otherShop.owner, 'start_chat', { chat: { users }, active: false });
    const archived = await call(otherShop.owner, 'get_chat', { chat_id: closed.body.chat_id });
    expect(archived.body.thread.active).toBe(false);
  });

  it('rejects missing, several, unknown, foreign and banned customers, and unknown agents and groups', async () => {
    const start = (users: object[], more: object = {}) => call(normal, 'start_chat', { chat: { users, ...more } });
    const foreign = await buildCustomer(other);
    const banned = await buildCustomer(organization);
    const bannedUntil = new Date(test.clock.now().getTime() + 60_000);
    await organization.scope.update('customers').where('id', '=', banned.id).set({ bannedUntil }).execute();
    expect(await start([])).toMatchObject(errorResponse(400, 'validation'));
    expect(await call(normal, 'start_chat')).toMatchObject(errorResponse(400, 'validation'));
    expect(await start([...withCustomer(), ...withCustomer()])).toMatchObject(errorResponse(400, 'validation'));
    expect(await start(withCustomer('nobody'))).toMatchObject(errorResponse(404, 'not_found'));
    expect(await start(withCustomer(foreign.id))).toMatchObject(errorResponse(404, 'not_found'));
    expect(await start(withCustomer(banned.id))).toMatchObject(errorResponse(403, 'customer_banned'));
    const withAgent = (id: string) => start([...withCustomer(), { id, type: 'agent' }]);
    expect(await withAgent(other.owner.login)).toMatchObject(errorResponse(404, 'not_found'));
    const unknown = { access: { group_ids: [999] } };
    expect(await start(withCustomer(), unknown)).toMatchObject(errorResponse(404, 'group_not_found'));
    const undefinedOne = { properties: { nothing: { here: 1 } } };
    expect(await start(withCustomer(), undefinedOne)).toMatchObject(errorResponse(400, 'validation'));
  });
});

describe('resume_chat', () => {
  it('opens a new thread that is assigned to the agent, in the same groups', async () => {
    const chatId = await archive();
    const { status, body } = await call(normal, 'resume_chat', {
      chat: { id: chatId, thread: { events: [message('One more thing')] } },
    });
    expect(status).toBe(200);
    const seen = await call(normal, 'get_chat', { chat_id: chatId });
    expect(seen.body.thread).toMatchObject({ id: body.thread_id, active: true, access: { group_ids: [0] } });
    expect(usersOf(seen)).toContain(normal.login);
  });

  it('rejects active, unknown, foreign and inaccessible chats', async () => {
    const resume = (agent: TestAgent, id: string) => call(agent, 'resume_chat', { chat: { id } });
    const [active, archived] = [await startChat(), await archive()];
    const hidden = await startChat([SALES]);
    await asCustomer('deactivate_chat', { id: hidden });
    expect(await resume(normal, active)).toMatchObject(errorResponse(400, 'validation'));
    expect(await resume(normal, 'NOWHERE')).toMatchObject(errorResponse(404, 'not_found'));
    expect(await resume(other.owner, archived)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await resume(normal, hidden)).toMatchObject(errorResponse(404, 'not_found'));
  });

  it('succeeds once if two agents do it concurrently', async () => {
    const chatId = await archive();
    const answers = await Promise.all(
      [normal, administrator].map((agent) => call(agent, 'resume_chat', { chat: { id: chatId } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe('deactivate_chat', () => {
  it('closes a chat the agent takes part in', async () => {
    const chatId = await startChat();
    await joinChat(organization, normal, chatId);
    expect(await call(normal, 'deactivate_chat', { id: chatId })).toMatchObject({ status: 200, body: {} });
    const seen = await asCustomer('get_chat', { chat_id: chatId });
    expect(seen.body.thread.active).toBe(false);
    expect(seen.body.thread.events.at(-1)).toMatchObject({ system_message_type: 'manual_archived_agent' });
    expect(await call(normal, 'deactivate_chat', { id: chatId })).toMatchObject(errorResponse(422, 'chat_inactive'));
  });

  it('lets only administrators close a chat they do not take part in, if they ask for it', async () => {
    const chatId = await startChat();
    const close = (agent: TestAgent, ignore?: boolean) =>
      call(agent, 'deactivate_chat', { id: chatId, ignore_requester_presence: ignore ?? null });
    expect(await close(normal)).toMatchObject(errorResponse(403, 'authorization'));
    expect(await close(normal, true)).toMatchObject(errorResponse(403, 'authorization'));
    expect(await close(administrator)).toMatchObject(errorResponse(403, 'authorization'));
    expect(await close(other.owner, true)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await close(administrator, true)).toMatchObject({ status: 200 });
    expect(await close(administrator, true)).toMatchObject(errorResponse(422, 'chat_inactive'));
  });
});

describe('follow_chat', () => {
  it('is idempotent and lasts until the agent unfollows the chat', async () => {
    const chatId = await startChat();
    const followed = async (agent: TestAgent) =>
      (await call(agent, 'get_chat', { chat_id: chatId })).body.is_followed as boolean;
    for (let times = 0; times < 2; times++)
      expect(await call(normal, 'follow_chat', { id: chatId })).toMatchObject({ status: 200, body: {} });
    expect([await followed(normal), await followed(administrator)]).toEqual([true, false]);
    const { body } = await call(normal, 'list_chats', { limit: 1 });
    expect(body.chats_summary[0]).toMatchObject({ id: chatId, is_followed: true });
    for (let times = 0; times < 2; times++)
      expect(await call(normal, 'unfollow_chat', { id: chatId })).toMatchObject({ status: 200, body: {} });
    expect(await followed(normal)).toBe(false);
  });

  it('can be removed from a chat the agent can no longer access', async () => {
    const chatId = await startChat();
    await call(normal, 'follow_chat', { id: chatId });
    const { scope } = organization;
    await scope
      .update('chats')
      .where('id', '=', chatId)
      .set({ groupIds: [SALES] })
      .execute();
    expect(await call(normal, 'unfollow_chat', { id: chatId })).toMatchObject({ status: 200, body: {} });
    expect(await scope.from('chatFollowers').where('chatId', '=', chatId).select('agentId').execute()).toEqual([]);
    expect(await call(normal, 'unfollow_chat', { id: chatId })).toMatchObject(errorResponse(404, 'not_found'));
  });

  it('rejects chats the agent cannot access', async () => {
    const [hidden, foreign] = [await startChat([SALES]), await startChat()];
    for (const operation of ['follow_chat', 'unfollow_chat']) {
      expect(await call(normal, operation, { id: hidden })).toMatchObject(errorResponse(404, 'not_found'));
      expect(await call(other.owner, operation, { id: foreign })).toMatchObject(errorResponse(404, 'not_found'));
    }
  });
});

describe('list_chats', () => {
  it('filters by properties', async () => {
    const chatId = await startChat();
    await call(normal, 'update_chat_properties', { id: chatId, properties: { rating: { score: 0, comment: 'Slow' } } });
    const find = async (rule: object) => {
      const filters = { include_chats_without_threads: true, properties: { rating: { comment: rule } } };
      const { body } = await call(normal, 'list_chats', { filters, limit: 100 });
      return body.chats_summary.map(({ id }: { id: string }) => id);
    };
    expect(await find({ values: ['Slow', 'Fast'] })).toEqual([chatId]);
    expect(await find({ values: ['Fast'] })).toEqual([]);
    expect(await find({ exists: true })).toEqual([chatId]);
    expect(await find({ exists: false })).not.toContain(chatId);
    expect(await find({ exclude_values: ['Slow'] })).not.toContain(chatId);
  });
});
