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
import { callAs, errorResponse } from '#server/testing/http/call-customer.ts';

const SALES = 7;

const test = useTestApp();
let organization: TestOrganization;
let other: TestOrganization;
let customer: TestCustomer;
let administrator: TestAgent;
let normal: TestAgent;
let inSales: TestAgent;

beforeAll(async () => {
  organization = await buildOrganization(test);
  other = await buildOrganization(test);
  customer = await buildCustomer(organization);
  await buildGroup(organization, SALES);
  administrator = await buildAgent(organization, { permission: 'administrator' });
  normal = await buildAgent(organization, { name: 'Nora Normal' });
  inSales = await buildAgent(organization, { groupIds: [SALES] });
  await organization.scope.update('agents').set({ maxChatsCount: 100 }).execute();
});

const call = (agent: TestAgent, operation: string, body: object) => callAsAgent(test)(agent, operation, body);
const change =
  (operation: string) =>
  (by: TestAgent, chatId: string, user: TestAgent | { login: string } = by, more: object = {}) =>
    call(by, operation, { chat_id: chatId, user_id: user.login, user_type: 'agent', ...more });
const add = change('add_user_to_chat');
const remove = change('remove_user_from_chat');
const silently = { visibility: 'agents' };
const fromOutside = { ignore_requester_presence: true };

const startChat = async (groupIds = [0]): Promise<string> => {
  test.clock.advance(1000);
  return (await buildChat(organization, customer, { texts: ['Hello'], continuous: true, groupIds })).chatId;
};
const readChat = async (chatId: string) => (await call(administrator, 'get_chat', { chat_id: chatId })).body;
const visibilityOf = async (chatId: string, { login }: TestAgent): Promise<string | undefined> =>
  (await readChat(chatId)).users.find((user: { id: string; present: boolean }) => user.id === login && user.present)
    ?.visibility;
const lastSaid = async (chatId: string) => {
  const { system_message_type, visibility, text_vars } = (await readChat(chatId)).thread.events.at(-1);
  return { system_message_type, visibility, text_vars };
};
const assigneeOf = async (chatId: string): Promise<string | null> =>
  (await organization.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow())
    .assigneeId;

describe('add_user_to_chat', () => {
  it('adds an agent to an accessible chat once', async () => {
    const chatId = await startChat();
    for (let times = 0; times < 2; times++) expect(await add(normal, chatId)).toMatchObject({ status: 200, body: {} });
    expect(await visibilityOf(chatId, normal)).toBe('all');
    const said = (await readChat(chatId)).thread.events.filter(
      (event: { system_message_type?: string }) => event.system_message_type === 'agent_joined',
    );
    expect(said).toHaveLength(1);
    expect(said[0].text_vars).toEqual({ agent: 'Nora Normal' });
    expect((await readChat(chatId)).thread.user_ids).toContain(normal.login);
    expect(await assigneeOf(chatId)).toBe(organization.owner.login);
  });

  it('adds a silent supervisor, who can become visible but not silent again', async () => {
    const chatId = await startChat();
    await add(normal, chatId, normal, silently);
    expect(await visibilityOf(chatId, normal)).toBe('agents');
    expect(await lastSaid(chatId)).toMatchObject({ system_message_type: 'agent_joined', visibility: 'agents' });
    expect((await readChat(chatId)).thread.user_ids).not.toContain(normal.login);
    await add(normal, chatId, normal, { visibility: 'all' });
    expect(await visibilityOf(chatId, normal)).toBe('all');
    expect(await lastSaid(chatId)).toMatchObject({ system_message_type: 'agent_joined', visibility: 'all' });
    expect(await add(normal, chatId, normal, silently)).toMatchObject(errorResponse(400, 'validation'));
  });

  it('lets participants add a colleague, who can access the chat regardless of groups', async () => {
    const chatId = await startChat([SALES]);
    expect(await add(normal, chatId)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await add(inSales, chatId, normal)).toMatchObject(errorResponse(403, 'authorization'));
    await add(inSales, chatId);
    expect(await add(inSales, chatId, normal)).toMatchObject({ status: 200 });
    expect(await lastSaid(chatId)).toMatchObject({ system_message_type: 'agent_added' });
    expect((await call(normal, 'get_chat', { chat_id: chatId })).status).toBe(200);
    const { body } = await call(normal, 'list_chats', { limit: 1 });
    expect(body.chats_summary[0].id).toBe(chatId);
    const event = { type: 'message', text: 'Here I am' };
    expect((await call(normal, 'send_event', { chat_id: chatId, event })).status).toBe(200);
    await remove(normal, chatId);
    expect(await call(normal, 'get_chat', { chat_id: chatId })).toMatchObject(errorResponse(404, 'not_found'));
    expect(await call(normal, 'send_event', { chat_id: chatId, event })).toMatchObject(errorResponse(404, 'not_found'));
  });

  it('lets administrators add agents to chats they do not take part in, if they ask for it', async () => {
    const chatId = await startChat();
    expect(await add(administrator, chatId, normal)).toMatchObject(errorResponse(403, 'authorization'));
    expect(await add(inSales, chatId, normal, fromOutside)).toMatchObject(errorResponse(403, 'authorization'));
    expect(await add(administrator, chatId, normal, fromOutside)).toMatchObject({ status: 200 });
  });

  it('assigns a queued chat to the agent who joins it', async () => {
    const otherShop = await buildOrganization(test, { online: false });
    const visitor = await buildCustomer(otherShop);
    const { chatId } = await buildChat(otherShop, visitor, { continuous: true });
    const find = () => otherShop.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirst();
    await add(otherShop.owner, chatId, otherShop.owner, silently);
    expect(await find()).toEqual({ assigneeId: null });
    const colleague = await buildAgent(otherShop);
    const answers = await Promise.all([add(colleague, chatId), add(otherShop.owner, chatId)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const assignments = await otherShop.scope.from('assignments').where('chatId', '=', chatId).select('rule').execute();
    expect(assignments).toEqual([{ rule: 'taken_over' }]);
  });

  it('rejects customers, unknown and foreign agents, and closed and foreign chats', async () => {
    const chatId = await startChat();
    const stranger = await buildCustomer(organization);
    const asUser = (user_id: string) =>
      call(administrator, 'add_user_to_chat', { chat_id: chatId, user_id, user_type: 'customer', ...fromOutside });
    expect(await asUser(stranger.id)).toMatchObject(errorResponse(400, 'validation'));
    expect(await asUser(customer.id)).toMatchObject({ status: 200 });
    expect(await add(administrator, chatId, other.owner, fromOutside)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await add(other.owner, chatId)).toMatchObject(errorResponse(404, 'not_found'));
    await callAs(test, organization, customer)('deactivate_chat', { id: chatId });
    expect(await add(normal, chatId)).toMatchObject(errorResponse(422, 'chat_inactive'));
  });
});

describe('remove_user_from_chat', () => {
  it('lets an agent leave and remove others', async () => {
    const chatId = await startChat();
    await add(normal, chatId);
    await add(normal, chatId, inSales);
    await remove(normal, chatId, inSales);
    expect(await lastSaid(chatId)).toMatchObject({ system_message_type: 'agent_removed', visibility: 'all' });
    await remove(normal, chatId);
    expect(await lastSaid(chatId)).toMatchObject({ system_message_type: 'agent_left', visibility: 'all' });
    expect(await visibilityOf(chatId, normal)).toBeUndefined();
    expect(await remove(normal, chatId)).toMatchObject(errorResponse(404, 'not_found'));
  });

  it('tells only agents that a silent supervisor left', async () => {
    const chatId = await startChat();
    await add(normal, chatId, normal, silently);
    await remove(normal, chatId);
    expect(await lastSaid(chatId)).toMatchObject({ system_message_type: 'agent_left', visibility: 'agents' });
  });

  it('assigns another agent when the assigned one leaves', async () => {
    const lively = await buildOrganization(test);
    const visitor = await buildCustomer(lively);
    const colleague = await buildAgent(lively);
    const { chatId } = await buildChat(lively, visitor);
    await lively.scope.update('agents').where('id', '=', colleague.login).set({ status: 'accepting chats' }).execute();
    expect(await remove(lively.owner, chatId)).toMatchObject({ status: 200 });
    const { assigneeId } = await lively.scope
      .from('chats')
      .where('id', '=', chatId)
      .select('assigneeId')
      .executeTakeFirstOrThrow();
    expect(assigneeId).toBe(colleague.login);
  });

  it('rejects agents outside the chat, customers and foreign chats', async () => {
    const chatId = await startChat();
    await joinChat(organization, normal, chatId);
    expect(await remove(inSales, chatId, normal)).toMatchObject(errorResponse(403, 'authorization'));
    expect(await remove(inSales, chatId, normal, fromOutside)).toMatchObject(errorResponse(403, 'authorization'));
    expect(await remove(other.owner, chatId, normal, fromOutside)).toMatchObject(errorResponse(404, 'not_found'));
    const body = { chat_id: chatId, user_id: customer.id, user_type: 'customer' };
    expect(await call(normal, 'remove_user_from_chat', body)).toMatchObject(errorResponse(400, 'validation'));
    expect(await remove(administrator, chatId, normal, fromOutside)).toMatchObject({ status: 200 });
  });
});
