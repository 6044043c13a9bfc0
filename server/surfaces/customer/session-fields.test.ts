import { beforeEach, describe, expect, it } from 'vitest';
import { type DomainEvent, organizationTopic, readEvent } from '#server/domain/events.ts';
import { revokeToken } from '#server/domain/support/customers/tokens.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  renewToken,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse } from '#server/testing/http/call-customer.ts';

const EIGHT_HOURS_MS = 8 * 3600 * 1000;

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
let heard: DomainEvent[];

beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  heard = [];
  test.context.ports.bus.subscribe(organizationTopic(organization.id), (text) => heard.push(readEvent(text as string)));
});

const me = async () => (await call('get_customer')).body;
const start = async (): Promise<string> => (await call('start_chat', { continuous: true })).body.chat_id;
const heardOf = <T extends DomainEvent['type']>(type: T) =>
  heard.filter((event): event is Extract<DomainEvent, { type: T }> => event.type === type);
const fields = (count: number) => Array.from({ length: count }, (_, at) => ({ [`key ${at}`]: `${at}` }));

describe('set_customer_session_fields', () => {
  const set = (session_fields: unknown) => call('set_customer_session_fields', { session_fields });

  it('keeps the order of the fields and replaces the previous ones', async () => {
    expect(await set([{ b: '1' }, { a: '2', 'c d': '3' }])).toMatchObject({ status: 200, body: {} });
    expect((await me()).session_fields).toEqual([{ b: '1' }, { a: '2' }, { 'c d': '3' }]);
    await set([{ z: '' }]);
    expect((await me()).session_fields).toEqual([{ z: '' }]);
    await set([]);
    expect(await me()).not.toHaveProperty('session_fields');
  });

  it('keeps the last value of a key at its first position', async () => {
    await set([{ a: '1' }, { b: '2' }, { a: '3' }]);
    expect((await me()).session_fields).toEqual([{ a: '3' }, { b: '2' }]);
  });

  it('accepts one hundred keys in total, also in several requests', async () => {
    expect((await set(fields(100))).status).toBe(200);
    expect((await me()).session_fields).toHaveLength(100);
    expect((await set([Object.assign({}, ...fields(100))])).status).toBe(200);
    expect(await set(fields(101))).toMatchObject(errorResponse(400, 'validation'));
    expect(await set([Object.assign({}, ...fields(101))])).toMatchObject(errorResponse(400, 'validation'));
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['an object', { a: 'b' }],
    ['a list of texts', ['a']],
    ['a number as a value', [{ a: 1 }]],
    ['null as a value', [{ a: null }]],
    ['an empty key', [{ '': 'x' }]],
    ['a key of 129 characters', [{ ['k'.repeat(129)]: 'x' }]],
    ['a value of 1025 characters', [{ a: 'x'.repeat(1025) }]],
  ])('rejects %s', async (_, value) => {
    expect(await set(value)).toMatchObject(errorResponse(400, 'validation'));
  });

  it('takes effect during a chat, and emits an event for each active one', async () => {
    const ids = [await start(), await start()];
    heard = [];
    await set([{ a: '1' }]);
    const chat = (await call('get_chat', { chat_id: ids[0] })).body;
    expect(chat.users[0].session_fields).toEqual([{ a: '1' }]);
    expect(heardOf('customer_session_fields_updated')).toHaveLength(2);
    expect(heardOf('customer_session_fields_updated')[0]).toMatchObject({ threadId: expect.any(String) });
  });

  it('records the browser and the current page', async () => {
    const { app } = test;
    await app.inject({
      method: 'POST',
      url: `/v3.5/customer/action/set_customer_session_fields?organization_id=${organization.id}`,
      headers: {
        authorization: `Bearer ${customer.token}`,
        'user-agent': 'Browser/1',
        referer: 'https://shop.example/cart',
      },
      payload: { session_fields: [] },
    });
    const row = await organization.scope
      .from('customers')
      .where('id', '=', customer.id)
      .select(['userAgent', 'referrer'])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ userAgent: 'Browser/1', referrer: 'https://shop.example/cart' });
  });
});

describe('a session', () => {
  const again = async () => {
    call = callAs(test, organization, await renewToken(organization, customer));
  };

  it('continues with another token while the previous one is valid', async () => {
    await call('set_customer_session_fields', { session_fields: [{ a: '1' }] });
    test.clock.advance(EIGHT_HOURS_MS - 1);
    await again();
    expect(await me()).toMatchObject({ session_fields: [{ a: '1' }] });
  });

  it('ends with its last token, and the next session starts without fields', async () => {
    await call('update_customer', { name: 'Ann', session_fields: [{ a: '1' }] });
    test.clock.advance(EIGHT_HOURS_MS);
    await again();
    const found = await me();
    expect(found).toMatchObject({ name: 'Ann', statistics: { visits_count: 2 } });
    expect(found).not.toHaveProperty('session_fields');
  });

  it('ends when the token is revoked', async () => {
    await call('set_customer_session_fields', { session_fields: [{ a: '1' }] });
    await revokeToken(organization.scope, customer.token);
    await again();
    expect(await me()).not.toHaveProperty('session_fields');
  });

  it('lasts as long as a chat is active', async () => {
    await call('set_customer_session_fields', { session_fields: [{ a: '1' }] });
    await start();
    test.clock.advance(EIGHT_HOURS_MS);
    await again();
    expect(await me()).toMatchObject({ session_fields: [{ a: '1' }] });
  });
});
