import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGoal, deleteGoal, updateGoal } from '#server/domain/support/goals/manage-goals.ts';
import { markGoal } from '#server/domain/support/goals/mark-goal.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse } from '#server/testing/http/call-customer.ts';
import { failure, type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;

beforeAll(async () => {
  test = await startListeningApp();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
});

const THANKS = 'https://shop.test/thank-you?order=1';
const urlGoal = () => createGoal(organization.scope, { name: 'Bought', condition: { type: 'url', url: '/thank-you' } });
const planGoal = () =>
  createGoal(organization.scope, {
    name: 'Gold',
    condition: { type: 'custom_variable', customVariableName: 'plan', customVariableValue: 'gold' },
  });
const hits = async () => {
  const rows = await organization.scope.from('goalHits').orderBy('reachedAt').orderBy('goalId').selectAll().execute();
  return rows.map(({ goalId }) => goalId);
};
const check = (more: object = {}) =>
  call('check_goals', { session_fields: [], group_id: 0, page_url: THANKS, ...more });

describe('a goal', () => {
  it('is reached by a page, once per visit', async () => {
    const { id } = await urlGoal();
    const client = await test.logIn(organization, customer, { customer_page: { url: 'https://shop.test/' } });
    expect(await hits()).toEqual([]);
    for (let times = 0; times < 2; times++) await client.request('update_customer_page', { url: THANKS });
    expect(await hits()).toEqual([id]);
    await client.close();
    test.clock.advance(31 * 60_000);
    const again = await test.logIn(organization, customer, { customer_page: { url: THANKS } });
    expect(await hits()).toEqual([id, id]);
    await again.close();
  });

  it('is reached by a session field, immediately or when the pending chat ends', async () => {
    const { id } = await planGoal();
    const { chatId } = await buildChat(organization, customer);
    await call('update_customer', { session_fields: [{ plan: 'gold' }] });
    expect(await hits()).toEqual([]);
    await call('deactivate_chat', { id: chatId });
    expect(await hits()).toEqual([id]);
    const other = await buildCustomer(organization);
    await callAs(test, organization, other)('set_customer_session_fields', { session_fields: [{ plan: 'Gold' }] });
    expect(await hits()).toEqual([id, id]);
  });

  it('records the group and the chat in which it was reached', async () => {
    const groupId = await buildGroup(organization, 7);
    await urlGoal();
    const client = await test.logIn(organization, customer, { group_id: groupId });
    const { threadId } = await buildChat(organization, customer);
    await client.request('update_customer_page', { url: THANKS });
    const row = await organization.scope.from('goalHits').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ groupId, threadId, customerId: customer.id });
    await client.close();
  });

  it('is not reached while paused or deleted', async () => {
    await updateGoal(organization.scope, { id: (await urlGoal()).id, active: false });
    await deleteGoal(organization.scope, { id: (await urlGoal()).id });
    await check();
    expect(await hits()).toEqual([]);
  });

  it('of type API is reached once per visit by a request, and belongs to the account', async () => {
    const { id } = await createGoal(organization.scope, { name: 'Called', condition: { type: 'api' } });
    const mark = () =>
      markGoal(organization.scope, { goalId: id, visitorId: customer.id, sale: { orderId: '7', price: '9.90' } });
    expect([await mark(), await mark()]).toEqual([true, false]);
    const row = await organization.scope.from('goalHits').selectAll().executeTakeFirstOrThrow();
    expect(row.sale).toEqual({ orderId: '7', price: '9.90' });
    const elsewhere = await buildOrganization(test);
    const theirs = await buildCustomer(elsewhere);
    await expect(markGoal(elsewhere.scope, { goalId: id, visitorId: theirs.id })).rejects.toThrow('Goal not found');
    await expect(markGoal(organization.scope, { goalId: id, visitorId: theirs.id })).rejects.toThrow(
      'Visitor not found',
    );
    await updateGoal(organization.scope, { id, active: false });
    const other = await buildCustomer(organization);
    await expect(markGoal(organization.scope, { goalId: id, visitorId: other.id })).rejects.toThrow('paused');
  });
});

describe('check_goals', () => {
  it('records goals of an offline customer, ignores unknown fields, and stores only the page', async () => {
    const goals = [await urlGoal(), await planGoal()];
    const more = { session_fields: [{ plan: 'gold' }], customer_fields: { name: 'x' } };
    expect(await check(more)).toMatchObject({ status: 200, body: {} });
    await check(more);
    expect(await hits()).toEqual(goals.map(({ id }) => id));
    const { body } = await call('get_customer');
    expect(body).not.toHaveProperty('session_fields');
    expect(body.statistics).toMatchObject({ page_views_count: 2, visits_count: 1 });
  });

  it('does nothing while a socket is open, in any process', async () => {
    await using other = await startListeningApp({ beside: test });
    await urlGoal();
    const client = await other.logIn(organization, customer);
    expect(await check()).toMatchObject({ status: 200, body: {} });
    expect(await client.request('check_goals', { session_fields: [], group_id: 0, page_url: THANKS })).toMatchObject({
      success: true,
    });
    expect(await hits()).toEqual([]);
    // A crashed process counts as alive for a while.
    test.clock.advance(150_000);
    await check();
    expect(await hits()).toHaveLength(1);
    await client.close();
  });

  it('requires a group of the account', async () => {
    expect(await check({ group_id: 99 })).toMatchObject(errorResponse(404, 'group_not_found'));
    const client = await test.logIn(organization, customer);
    const answer = await client.request('check_goals', { session_fields: [], group_id: 99, page_url: THANKS });
    expect(answer).toMatchObject(failure('group_not_found'));
    await client.close();
  });

  it.each([
    [{ session_fields: undefined }],
    [{ group_id: undefined }],
    [{ page_url: undefined }],
    [{ session_fields: {} }],
    [{ group_id: '0' }],
    [{ page_url: '' }],
    [{ page_url: 'shop.test/thank-you' }],
    [{ page_url: 'file:///thank-you' }],
    [{ session_fields: [{ '': 'x' }] }],
  ])('rejects %j', async (more) => {
    await urlGoal();
    expect(await check(more)).toMatchObject(errorResponse(400, 'validation'));
    expect(await hits()).toEqual([]);
  });
});
