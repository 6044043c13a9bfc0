import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { createGoal } from '#server/domain/support/goals/manage-goals.ts';
import { markGoal } from '#server/domain/support/goals/mark-goal.ts';
import { findShownGreeting } from '#server/domain/support/greetings/find-shown-greeting.ts';
import { updateGreeting } from '#server/domain/support/greetings/manage-greetings.ts';
import { recordPage } from '#server/domain/support/visits/record-page.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, buildChat, customerScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildGreeting } from '#server/testing/builders/greetings.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { errorResponse } from '#server/testing/http/call-customer.ts';

const SALES = 7;
const done = { status: 200, body: {} };
const wrong = errorResponse(400, 'validation');
const notFound = errorResponse(404, 'not_found');

const test = useTestApp();
let shop: TestOrganization;
let other: TestOrganization;
let normal: TestAgent;
let customer: TestCustomer;
let call: ReturnType<typeof callAsAgent>;
beforeAll(async () => {
  call = callAsAgent(test);
  [shop, other] = await Promise.all([buildOrganization(test), buildOrganization(test)]);
  await buildGroup(shop, SALES);
  normal = await buildAgent(shop, { name: 'Nora Normal' });
});
beforeEach(async () => {
  test.clock.advance(1000);
  customer = await buildCustomer(shop);
});

describe('an invitation', () => {
  const invite = (greeting_id: number, { id = customer.id, by = normal } = {}) =>
    call(by, 'invite_customer', { id, greeting_id });
  const silent = async () => {
    const greeting = await buildGreeting(shop);
    await updateGreeting(shop.scope, { id: greeting.id, active: false });
    return greeting.id;
  };

  it('shows a greeting in the agent’s name regardless of its rules', async () => {
    const id = await silent();
    const { status, body } = await invite(id);
    expect(status).toBe(200);
    expect(await findShownGreeting(customerScope(shop, customer))).toMatchObject({
      ...{ uniqueId: body.unique_id, greetingId: id, message: 'May we help?' },
      agent: { login: normal.login, name: 'Nora Normal' },
    });
  });

  it('is shown once if two agents send it concurrently', async () => {
    const id = await silent();
    const both = await Promise.all([invite(id), invite(id, { by: shop.owner })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('is rejected beside another greeting, during a chat, after the visitor left, and for unknown greetings', async () => {
    const [first, second] = [await silent(), await silent()];
    expect((await invite(first)).status).toBe(200);
    expect(await invite(second)).toMatchObject(wrong);
    customer = await buildCustomer(shop);
    const { chatId } = await buildChat(shop, customer);
    expect((await invite(first)).status).toBe(400);
    await deactivateChat(customerScope(shop, customer), { chatId });
    expect((await invite(first)).status).toBe(200);
    customer = await buildCustomer(shop);
    expect(await invite(99_999)).toMatchObject(errorResponse(404, 'greeting_not_found'));
    const { id: wordless } = await buildGreeting(shop, { message: '' });
    expect(await invite(wordless)).toMatchObject(wrong);
    for (const id of [randomUUID(), 'nonsense']) expect(await invite(first, { id })).toMatchObject(notFound);
    expect(await invite(first, { by: other.owner })).toMatchObject(notFound);
    const theirs = await buildCustomer(other);
    expect(await invite(first, { id: theirs.id, by: other.owner })).toMatchObject(
      errorResponse(404, 'greeting_not_found'),
    );
    test.clock.advance(31 * 60_000);
    expect(await invite(first)).toMatchObject(wrong);
  });
});

describe('the history of a customer', () => {
  const historyOf = async (by = normal) => (await call(by, 'get_customer_history', { id: customer.id })).body;

  it('contains chats, visits with their pages, and goals', async () => {
    const goal = await createGoal(shop.scope, { name: 'Bought', condition: { type: 'api' } });
    await recordPage(customerScope(shop, customer), { url: 'https://shop.test/a', title: 'A' });
    await recordPage(customerScope(shop, customer), { url: 'https://shop.test/b' });
    const chat = await buildChat(shop, customer, { texts: ['Hello'] });
    await markGoal(agentScope(shop, shop.owner), {
      ...{ goalId: goal.id, visitorId: customer.id, sale: { orderId: 'o-1', price: '9.90', currency: 'EUR' } },
    });
    expect(await historyOf()).toMatchObject({
      threads: [{ chat_id: chat.chatId, thread_id: chat.threadId, active: true, agent_ids: expect.any(Array) }],
      visits: [{ pages_count: 2, pages: [{ url: 'https://shop.test/a', title: 'A' }, { url: 'https://shop.test/b' }] }],
      goals: [{ goal_id: goal.id, name: 'Bought', sale: { order_id: 'o-1', price: '9.90', currency: 'EUR' } }],
    });
  });

  it('contains only the chats of the agent’s groups', async () => {
    await buildChat(shop, customer, { groupIds: [SALES], continuous: true });
    expect((await historyOf()).threads).toEqual([]);
    expect((await historyOf(shop.owner)).threads).toHaveLength(1);
  });

  it('is not found for customers of other organizations', async () => {
    expect(await call(other.owner, 'get_customer_history', { id: customer.id })).toMatchObject(notFound);
    expect(await call(normal, 'get_customer_history', {})).toMatchObject(wrong);
  });
});

describe('bans', () => {
  it('are listed while active and can be removed', async () => {
    const otherShop = await buildOrganization(test);
    const banned = await buildCustomer(otherShop);
    await otherShop.scope.update('customers').where('id', '=', banned.id).set({ name: 'Bob' }).execute();
    const list = async () => (await call(otherShop.owner, 'list_customer_bans')).body;
    await call(otherShop.owner, 'ban_customer', { id: banned.id, ban: { days: 2 } });
    test.clock.advance(1000);
    expect(await call(otherShop.owner, 'ban_customer_address', { ip: '198.51.100.7', days: 1 })).toMatchObject(done);
    expect(await list()).toMatchObject([
      { ip: '198.51.100.7', banned_by: otherShop.owner.login },
      { customer_id: banned.id, customer_name: 'Bob', banned_by: otherShop.owner.login },
    ]);
    expect((await call(other.owner, 'list_customer_bans')).body).toEqual([]);
    test.clock.advance(24 * 3600_000);
    expect(await list()).toMatchObject([{ customer_id: banned.id }]);
    await call(otherShop.owner, 'unban_customer', { id: banned.id });
    expect(await list()).toEqual([]);
  });

  it('are rejected for invalid IP addresses', async () => {
    for (const body of [{ ip: 'nonsense', days: 1 }, { ip: '198.51.100.7', days: 0 }, { days: 1 }])
      expect(await call(normal, 'ban_customer_address', body)).toMatchObject(wrong);
  });
});

describe('list_two_factor', () => {
  it('lists for administrators which agents use two-factor authentication', async () => {
    const listed = (await call(shop.owner, 'list_two_factor')).body;
    expect(listed).toContainEqual({ agent_id: normal.login, enabled: false });
    expect(await call(normal, 'list_two_factor')).toMatchObject(errorResponse(403, 'authorization'));
  });
});
