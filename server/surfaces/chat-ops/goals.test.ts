import { beforeEach, describe, expect, it } from 'vitest';
import { recordPage } from '#server/domain/support/visits/record-page.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { customerScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type Call, caller } from '../../testing/http/chat-ops.ts';

const test = useTestApp();
let organization: TestOrganization;
let asOwner: Call;
let agent: TestAgent;

beforeEach(async () => {
  organization = await buildOrganization(test);
  asOwner = caller(test, organization.owner);
  agent = await buildAgent(organization);
});

const hits = () =>
  organization.scope.from('goalHits').orderBy('orderId').select(['goalId', 'orderId', 'sale']).execute();

describe('goals', () => {
  it('contain the fields of their type', async () => {
    const variable = { custom_variable_name: 'plan', custom_variable_value: 'gold' };
    const add = (body: object | string) => asOwner('POST', '/goals', body);
    expect(await add({ name: 'Variable', type: 'custom_variable', ...variable })).toEqual({
      status: 200,
      body: { id: 1, name: 'Variable', active: 1, type: 'custom_variable', ...variable },
    });
    expect((await add('name=Page&type=url&url=/thanks')).body).toEqual({
      ...{ id: 2, name: 'Page', active: 1, type: 'url', url: '/thanks', match_type: 'substring' },
    });
    expect((await add({ name: 'Api', type: 'api' })).body).toEqual({ id: 3, name: 'Api', active: 1, type: 'api' });
    const tracker = { sales_tracker_id: 'shop', value_type: 'set', value: '9.90', currency: 'EUR', time_range: '30' };
    const names = { order_field_name: 'order', value_field_name: 'total' };
    expect((await add({ name: 'Sale', type: 'sales_tracker', ...tracker, ...names })).body).toEqual({
      ...{ id: 4, name: 'Sale', active: 1, type: 'sales_tracker', ...tracker, ...names },
    });
    const bare = (await add({ name: 'Sale', type: 'sales_tracker', value: 9 })).body;
    expect(bare).toMatchObject({ value_type: 'not_set', value: '9' });
    expect(bare.sales_tracker_id).toMatch(/^\w{10}$/);
  });

  it('are listed in short form, optionally of one type', async () => {
    await asOwner('POST', '/goals', { name: 'Page', type: 'url', url: '/thanks' });
    await asOwner('POST', '/goals', { name: 'Api', type: 'api' });
    const page = { id: 1, name: 'Page', active: 1, type: 'url' };
    const asAgent = caller(test, agent);
    expect((await asAgent('GET', '/goals')).body).toEqual([page, { id: 2, name: 'Api', active: 1, type: 'api' }]);
    expect((await asAgent('GET', '/goals?type=url')).body).toEqual([page]);
    expect((await asAgent('GET', '/goals?type=other')).status).toBe(400);
    expect((await asAgent('GET', '/goals/1')).body.url).toBe('/thanks');
  });

  it.each([
    ['no name', { type: 'api' }],
    ['no type', { name: 'Goal' }],
    ['an unknown type', { name: 'Goal', type: 'mail' }],
    ['no url', { name: 'Goal', type: 'url' }],
    ['a blank url', { name: 'Goal', type: 'url', url: ' ' }],
    ['no variable', { name: 'Goal', type: 'custom_variable', custom_variable_value: 'x' }],
    ['no value', { name: 'Goal', type: 'custom_variable', custom_variable_name: 'x' }],
    ['an unknown match', { name: 'Goal', type: 'url', url: '/x', match_type: 'regex' }],
    ['an unknown kind of value', { name: 'Goal', type: 'sales_tracker', value_type: 'guess' }],
    ['a long url', { name: 'Goal', type: 'url', url: 'x'.repeat(2049) }],
  ])('reject %s', async (_, body) => {
    expect((await asOwner('POST', '/goals', body)).status).toBe(400);
  });

  it('update only the given fields, and can be paused', async () => {
    await asOwner('POST', '/goals', { name: 'Page', type: 'url', url: '/thanks', match_type: 'exact' });
    expect((await asOwner('PUT', '/goals/1', 'active=0')).body).toMatchObject({ active: 0, url: '/thanks' });
    expect((await asOwner('PUT', '/goals/1', { url: '/bye' })).body).toMatchObject({
      url: '/bye',
      match_type: 'exact',
    });
    expect((await asOwner('PUT', '/goals/1', { type: 'custom_variable' })).status).toBe(400);
    expect((await asOwner('PUT', '/goals/1', { type: 'api', name: 'Api', active: 1 })).body).toEqual({
      ...{ id: 1, name: 'Api', active: 1, type: 'api' },
    });
    expect((await asOwner('PUT', '/goals/1', { name: ' ' })).status).toBe(400);
    const { body: sale } = await asOwner('POST', '/goals', { name: 'Sale', type: 'sales_tracker' });
    const changed = (await asOwner('PUT', `/goals/${sale.id}`, { currency: 'USD' })).body;
    expect(changed).toEqual({ ...sale, currency: 'USD' });
  });

  it('are deleted once, and can be changed only by administrators of the account', async () => {
    await asOwner('POST', '/goals', { name: 'Api', type: 'api' });
    const asAgent = caller(test, agent);
    expect((await asAgent('POST', '/goals', { name: 'Api', type: 'api' })).status).toBe(403);
    expect((await asAgent('PUT', '/goals/1', { active: 0 })).status).toBe(403);
    expect((await asAgent('DELETE', '/goals/1')).status).toBe(403);
    const other = caller(test, (await buildOrganization(test)).owner);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) expect((await other(method, '/goals/1')).status).toBe(404);
    expect((await asOwner('DELETE', '/goals/1')).body).toEqual({ result: 'Goal removed successfully' });
    expect((await asOwner('DELETE', '/goals/1')).status).toBe(404);
  });
});

describe('mark_as_successful', () => {
  const order = { order_id: 'A1', order_description: 'Shoes', order_price: '24.99', order_currency: 'usd' };
  const sale = { orderId: 'A1', description: 'Shoes', price: '24.99', currency: 'USD' };
  let visitor_id: string;
  beforeEach(async () => {
    await asOwner('POST', '/goals', { name: 'Api', type: 'api' });
    visitor_id = (await buildCustomer(organization)).id;
  });
  const mark = (body: object | string, call = asOwner) => call('POST', '/goals/1/mark_as_successful', body);

  it('counts once per visit, regardless of the agent', async () => {
    const done = { status: 200, body: { result: 'Goal marked as successful' } };
    expect(await mark(`visitor_id=${visitor_id}`, caller(test, agent))).toEqual(done);
    expect(await mark({ visitor_id })).toEqual(done);
    expect(await hits()).toEqual([{ goalId: 1, orderId: '', sale: null }]);
  });

  it('ignores empty form fields', async () => {
    const form = `visitor_id=${visitor_id}&order_id=&order_description=&order_price=&order_currency=`;
    expect((await mark(form)).status).toBe(200);
    expect(await hits()).toEqual([{ goalId: 1, orderId: '', sale: null }]);
    expect((await mark(form.replace('price=', 'price=1.234567'))).status).toBe(200);
    expect(await hits()).toEqual([{ goalId: 1, orderId: '', sale: { price: '1.234567' } }]);
  });

  it('records a sale once per order', async () => {
    await mark({ visitor_id, ...order });
    await mark({ visitor_id, ...order });
    await mark({ visitor_id });
    expect(await hits()).toEqual([{ goalId: 1, orderId: 'A1', sale }]);
    await mark({ visitor_id, ...order, order_id: 'A2' });
    expect((await hits()).map(({ orderId }) => orderId)).toEqual(['A1', 'A2']);
  });

  it('adds the order to a goal that was already reached', async () => {
    await mark({ visitor_id });
    await mark({ visitor_id, ...order });
    expect(await hits()).toEqual([{ goalId: 1, orderId: 'A1', sale }]);
  });

  it('counts an order once even if it is repeated in another visit, separately for each customer', async () => {
    await mark({ visitor_id, ...order });
    test.clock.advance(31 * 60_000);
    await recordPage(customerScope(organization, { id: visitor_id, token: '' }), { url: 'https://shop.test/thanks' });
    await mark({ visitor_id });
    await mark({ visitor_id, ...order });
    const counted = async () => (await hits()).map(({ orderId }) => orderId);
    expect(await counted()).toEqual(['', 'A1']);
    const other = await buildCustomer(organization);
    await mark({ visitor_id: other.id, ...order });
    expect(await counted()).toEqual(['', 'A1', 'A1']);
  });

  it('counts an order once in concurrent requests', async () => {
    await Promise.all([mark({ visitor_id, ...order }), mark({ visitor_id, ...order })]);
    expect(await hits()).toHaveLength(1);
  });

  it('accepts the integrator’s visitor id', async () => {
    const named = { visitorId: 'user-77' };
    await organization.scope.update('customers').where('id', '=', visitor_id).set(named).execute();
    expect((await mark({ visitor_id: 'user-77' })).status).toBe(200);
    expect(await hits()).toHaveLength(1);
  });

  it('rejects unknown visitors, goals of other organizations, paused goals and invalid prices', async () => {
    expect((await mark({})).status).toBe(400);
    expect((await mark({ visitor_id: 'nobody' })).status).toBe(404);
    const other = await buildOrganization(test);
    expect((await mark({ visitor_id: (await buildCustomer(other)).id })).status).toBe(404);
    expect((await mark({ visitor_id }, caller(test, other.owner))).status).toBe(404);
    for (const order_price of ['12,50', '-1', '1e3', 'free', '1.2345678'])
      expect((await mark({ visitor_id, order_price })).status).toBe(400);
    expect((await mark({ visitor_id, order_currency: 'Euro' })).status).toBe(400);
    await asOwner('PUT', '/goals/1', { active: 0 });
    expect((await mark({ visitor_id })).status).toBe(400);
    expect(await hits()).toEqual([]);
  });
});
