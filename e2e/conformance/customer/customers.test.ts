import { afterAll, describe, expect, it } from 'vitest';
import { expectEmpty, expectError, startChat } from './call.ts';
import { newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

const ann = {
  name: 'Ann Example',
  email: 'ann@example.com',
  avatar: 'https://example.com/ann.png',
  session_fields: [{ cart: '3' }, { plan: 'gold' }],
};

describe('get_customer', () => {
  it('get_customer returns only fields that are set', async () => {
    const customer = await organization.customer();
    const bare = await customer.ok('get_customer');
    expect(bare).toMatchObject({ id: customer.id, type: 'customer', statistics: expect.any(Object) });
    for (const field of ['name', 'email', 'avatar', 'session_fields']) expect(bare).not.toHaveProperty(field);
    await customer.ok('update_customer', ann);
    expect(await customer.ok('get_customer')).toMatchObject(ann);
  });

  it('get_customer counts chats and threads', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    await customer.ok('deactivate_chat', { id: chatId });
    await customer.ok('resume_chat', { chat: { id: chatId } });
    expect((await customer.ok('get_customer')).statistics).toMatchObject({ chats_count: 1, threads_count: 2 });
  });
});

describe('update_customer', () => {
  it.each(Object.entries(ann))('update_customer accepts %s alone', async (field, value) => {
    const customer = await organization.customer();
    expectEmpty(await customer.call('update_customer', { [field]: value }));
    expect(await customer.ok('get_customer')).toMatchObject({ [field]: value });
  });

  it('update_customer requires at least one field', async () => {
    const customer = await organization.customer();
    expectError(await customer.call('update_customer', {}), 'validation');
    expectError(await customer.call('update_customer', { unknown: 1 }), 'validation');
  });

  it.each<[string, unknown]>([
    ['email', 'nobody'],
    ['avatar', 'not a url'],
    ['avatar', 'javascript:alert(1)'],
    ['name', 7],
    ['session_fields', { cart: '3' }],
    ['session_fields', [{ cart: { nested: true } }]],
  ])('update_customer rejects %s %j', async (field, value) => {
    const customer = await organization.customer();
    expectError(await customer.call('update_customer', { [field]: value }), 'validation');
  });

  it('update_customer is applied only after the active chat has ended', async () => {
    const customer = await organization.customer();
    await customer.ok('update_customer', { name: 'Before' });
    const { chatId } = await startChat(customer);
    expectEmpty(await customer.call('update_customer', { name: 'After' }));
    expect((await customer.ok('get_customer')).name).toBe('Before');
    await customer.ok('deactivate_chat', { id: chatId });
    expect((await customer.ok('get_customer')).name).toBe('After');
  });
});

describe('set_customer_session_fields', () => {
  it('set_customer_session_fields keeps the order and replaces the previous fields', async () => {
    const customer = await organization.customer();
    for (const session_fields of [[{ z: '1' }, { a: '2' }, { m: '3' }], [{ only: 'this' }]]) {
      expectEmpty(await customer.call('set_customer_session_fields', { session_fields }));
      expect((await customer.ok('get_customer')).session_fields).toEqual(session_fields);
    }
  });

  it.each([undefined, null, 'x', { a: '1' }, ['x'], [{ a: 1 }]])(
    'set_customer_session_fields rejects %j',
    async (session_fields) => {
      const customer = await organization.customer();
      expectError(await customer.call('set_customer_session_fields', { session_fields }), 'validation');
    },
  );

  it('set_customer_session_fields works during a chat', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    await customer.ok('set_customer_session_fields', { session_fields: [{ cart: '4' }] });
    expect((await customer.ok('get_chat', { chat_id: chatId })).users[0]).toMatchObject({
      session_fields: [{ cart: '4' }],
    });
  });
});
