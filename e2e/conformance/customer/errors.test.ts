import { afterAll, describe, expect, it } from 'vitest';
import { type ApiResponse, archiveChat, type Caller, errors, expectError, message, startChat } from './call.ts';
import { itWithDatabase, newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

/** How to cause each error. `internal` is missing: any way to cause it would be a bug. */
interface Row {
  type: string;
  /** Needs direct access to the database. */
  needsDatabase?: true;
  cause(customer: Caller): Promise<ApiResponse>;
}

const setOrganization = async (column: string, value: unknown): Promise<Caller> => {
  const { id, customer } = await newOrganization(target);
  const caller = await customer();
  await target.runSql!(`update organizations set ${column} = $1 where id = $2`, [value, id]);
  return caller;
};

const ban = async (customer: Caller): Promise<void> => {
  const url = `${target.url}/operator/v1/organizations/${organization.id}/bans`;
  const headers = { authorization: `Bearer ${target.operatorToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ customer_id: customer.id, days: 1 });
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201);
};

const rows: Row[] = [
  {
    type: 'authentication',
    cause: (customer) => customer.call('get_customer', {}, { headers: { authorization: 'Bearer dal:unknown' } }),
  },
  {
    type: 'authorization',
    cause: async (customer) => {
      const { chatId: id } = await startChat(customer);
      return customer.call('update_chat_properties', { id, properties: { source: { client_id: 'me' } } });
    },
  },
  {
    type: 'chat_anonymized',
    needsDatabase: true,
    cause: async (customer) => {
      const { chatId } = await archiveChat(customer);
      await target.runSql!('update chats set anonymized = true where id = $1', [chatId]);
      return customer.call('get_chat', { chat_id: chatId });
    },
  },
  {
    type: 'chat_inactive',
    cause: async (customer) => {
      const { chatId } = await archiveChat(customer);
      return customer.call('send_event', { chat_id: chatId, event: message('hello') });
    },
  },
  {
    type: 'customer_banned',
    cause: async (customer) => {
      await ban(customer);
      return customer.call('get_customer');
    },
  },
  { type: 'entity_too_large', cause: (customer) => customer.upload(Buffer.alloc(10 * 1024 * 1024 + 1)) },
  {
    type: 'greeting_not_found',
    cause: (customer) => customer.call('accept_greeting', { greeting_id: 1, unique_id: 'unknown' }),
  },
  { type: 'group_not_found', cause: (customer) => customer.call('get_form', { group_id: 987, type: 'prechat' }) },
  { type: 'group_offline', cause: (customer) => customer.call('get_predicted_agent') },
  {
    type: 'group_unavailable',
    needsDatabase: true,
    cause: async () => {
      const staffed = await newOrganization(target, { online: true });
      await target.runSql!('update agents set max_chats_count = 0 where organization_id = $1', [staffed.id]);
      return (await staffed.customer()).call('get_predicted_agent');
    },
  },
  { type: 'groups_offline', cause: (customer) => customer.call('start_chat') },
  {
    type: 'license_expired',
    needsDatabase: true,
    cause: async () => (await setOrganization('status', 'expired')).call('get_customer'),
  },
  {
    type: 'license_not_found',
    cause: (customer) => customer.call('get_customer', {}, { query: { organization_id: crypto.randomUUID() } }),
  },
  {
    type: 'limit_reached',
    cause: async (customer) => {
      for (let made = 0; made < 50; made++) await startChat(customer);
      return customer.call('start_chat', { continuous: true });
    },
  },
  {
    type: 'misdirected_request',
    cause: (customer) => {
      const token = customer.token.replace(/^(dal|fra)/, (own) => (own === 'dal' ? 'fra' : 'dal'));
      return customer.call('get_customer', {}, { headers: { authorization: `Bearer ${token}` } });
    },
  },
  { type: 'unsupported_version', cause: (customer) => customer.call('x', {}, { path: '/v3.4/customer/action/x' }) },
  { type: 'validation', cause: (customer) => customer.call('get_chat', {}) },
  {
    type: 'wrong_product_version',
    needsDatabase: true,
    cause: async () => (await setOrganization('product_version', 2)).call('get_customer'),
  },
];

describe('error types', () => {
  for (const row of rows) {
    (row.needsDatabase ? itWithDatabase(target) : it)(row.type, async () => {
      const response = await row.cause(await organization.customer());
      expectError(response, row.type);
      expect(Object.keys(response.body)).toEqual(['error']);
      if (row.type !== 'validation') expect(response.body.error.message).toBe(errors[row.type]![1]);
    });
  }
});

describe('validation', () => {
  it.each(['{', '[]', '"text"', '{"limit":1,"limit":2}', 'limit=1'])('rejects the body %s', async (raw) => {
    const customer = await organization.customer();
    const headers = { 'content-type': 'application/json' };
    expectError(await customer.call('list_chats', {}, { raw, headers }), 'validation');
  });

  it('rejects a body of another content type', async () => {
    const customer = await organization.customer();
    const headers = { 'content-type': 'application/xml' };
    expectError(await customer.call('list_chats', {}, { raw: '<a/>', headers }), 'validation');
  });

  it('requires organization_id', async () => {
    const customer = await organization.customer();
    expectError(await customer.call('get_customer', {}, { query: { organization_id: '' } }), 'validation');
  });

  it('ignores unknown fields', async () => {
    expect(await (await organization.customer()).ok('list_chats', { color: 'red' })).toMatchObject({ total_chats: 0 });
  });
});

it.each(['get_customer', 'list_chats', 'start_chat', 'get_dynamic_configuration', 'get_url_info', 'upload_file'])(
  'a banned customer cannot %s',
  async (operation) => {
    const customer = await organization.customer();
    await ban(customer);
    expectError(await customer.call(operation), 'customer_banned');
  },
);

itWithDatabase(target)('returns too_many_requests with Retry-After above the rate limit', async () => {
  const limited = await openTarget({ RATE_LIMITS: 'on' });
  try {
    const customer = await (await newOrganization(limited)).customer();
    const responses = await Promise.all(Array.from({ length: 200 }, () => customer.call('get_customer')));
    const rejected = responses.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThanOrEqual(100);
    for (const response of rejected) {
      expectError(response, 'too_many_requests');
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  } finally {
    await limited.close();
  }
});

itWithDatabase(target)('returns service_unavailable while the database is unavailable', async () => {
  const customer = await organization.customer();
  const { chatId } = await startChat(customer, [message('before')]);
  await target.outage!(async () =>
    expectError(await customer.call('get_chat', { chat_id: chatId }), 'service_unavailable'),
  );
  const { thread } = await customer.ok('get_chat', { chat_id: chatId });
  expect(thread.events).toMatchObject([{ text: 'before' }]);
});
