import { afterAll, describe, expect, it } from 'vitest';
import { expectEmpty, expectError } from './call.ts';
import { itWithDatabase, newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

describe('list_group_statuses', () => {
  it('list_group_statuses returns all groups, or the requested ones that exist', async () => {
    const customer = await organization.customer();
    const offline = { groups_status: { 0: 'offline' } };
    expect(await customer.ok('list_group_statuses', { all: true })).toEqual(offline);
    expect(await customer.ok('list_group_statuses', { group_ids: [0, 987] })).toEqual(offline);
    expect(await customer.ok('list_group_statuses', { group_ids: [987] })).toEqual({ groups_status: {} });
  });

  it.each([{}, { all: false }, { group_ids: 'all' }, { group_ids: ['x'] }])(
    'list_group_statuses requires all or group_ids and rejects %j',
    async (body) => {
      expectError(await (await organization.customer()).call('list_group_statuses', body), 'validation');
    },
  );

  itWithDatabase(target)('list_group_statuses distinguishes online and online_for_queue', async () => {
    const staffed = await newOrganization(target, { online: true });
    const customer = await staffed.customer();
    const status = async () => (await customer.ok('list_group_statuses', { all: true })).groups_status[0];
    expect(await status()).toBe('online');
    await target.runSql!('update agents set max_chats_count = 1 where organization_id = $1', [staffed.id]);
    await (await staffed.customer()).ok('start_chat');
    expect(await status()).toBe('online_for_queue');
  });
});

describe('check_goals', () => {
  const goal = { session_fields: [{ cart: '3' }], group_id: 0, page_url: 'https://shop.test/thanks' };

  it('check_goals returns an empty object and ignores additional fields that known clients send', async () => {
    const customer = await organization.customer();
    expectEmpty(await customer.call('check_goals', goal));
    expectEmpty(await customer.call('check_goals', { ...goal, customer_fields: {} }));
  });

  it.each(['session_fields', 'group_id', 'page_url'])('check_goals requires %s', async (field) => {
    const customer = await organization.customer();
    expectError(await customer.call('check_goals', { ...goal, [field]: undefined }), 'validation');
  });

  it('check_goals rejects unknown groups', async () => {
    const customer = await organization.customer();
    expectError(await customer.call('check_goals', { ...goal, group_id: 987 }), 'group_not_found');
  });
});

describe('get_form', () => {
  it.each(['prechat', 'postchat'])('get_form returns the %s form, or none if disabled', async (type) => {
    const customer = await organization.customer();
    const { enabled, form } = await customer.ok('get_form', { group_id: 0, type });
    expect(enabled).toEqual(expect.any(Boolean));
    if (enabled) expect(form).toMatchObject({ id: expect.any(String), fields: expect.any(Array) });
    else expect(form).toBeUndefined();
  });

  it.each([{ group_id: 0 }, { type: 'prechat' }, { group_id: 0, type: 'sonnet' }])(
    'get_form rejects %j',
    async (body) => {
      expectError(await (await organization.customer()).call('get_form', body), 'validation');
    },
  );

  it('get_form rejects unknown groups', async () => {
    const customer = await organization.customer();
    expectError(await customer.call('get_form', { group_id: 987, type: 'prechat' }), 'group_not_found');
  });
});

describe('get_predicted_agent', () => {
  it('get_predicted_agent returns group_offline without online agents', async () => {
    expectError(await (await organization.customer()).call('get_predicted_agent'), 'group_offline');
  });

  itWithDatabase(target)(
    'get_predicted_agent returns the predicted agent and whether the chat would be queued',
    async () => {
      const staffed = await newOrganization(target, { online: true });
      const customer = await staffed.customer();
      expect(await customer.ok('get_predicted_agent')).toEqual({
        agent: {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          name: 'Olga',
          avatar: expect.any(String),
          is_bot: false,
          job_title: expect.any(String),
          type: 'agent',
        },
        queue: false,
      });
      await target.runSql!('update agents set max_chats_count = 1 where organization_id = $1', [staffed.id]);
      await (await staffed.customer()).ok('start_chat');
      expect(await customer.ok('get_predicted_agent')).toMatchObject({ queue: true });
    },
  );

  itWithDatabase(target)(
    'get_predicted_agent returns group_unavailable when the group is online but no agent accepts a chat',
    async () => {
      const staffed = await newOrganization(target, { online: true });
      await target.runSql!('update agents set max_chats_count = 0 where organization_id = $1', [staffed.id]);
      expectError(await (await staffed.customer()).call('get_predicted_agent'), 'group_unavailable');
    },
  );
});

describe('get_url_info', () => {
  it.each([undefined, '', 'shop', 'ftp://example.com/', 'javascript:alert(1)'])(
    'get_url_info rejects %j',
    async (url) => {
      expectError(await (await organization.customer()).call('get_url_info', { url }), 'validation');
    },
  );

  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0/',
    'http://2130706433/',
    'http://0x7f.1/',
  ])('get_url_info does not fetch the private address %s', async (url) => {
    const { status, body } = await (await organization.customer()).call('get_url_info', { url });
    expect({ url, status, body }).toMatchObject({ status: 400, body: { error: { type: 'validation' } } });
  });
});

describe('greetings', () => {
  const unknown = { greeting_id: 1, unique_id: 'NOSUCHGREETING' };

  it('accept_greeting accepts only greetings that were shown', async () => {
    const customer = await organization.customer();
    expectError(await customer.call('accept_greeting', unknown), 'greeting_not_found');
    expectError(await customer.call('accept_greeting', { ...unknown, greeting_id: undefined }), 'validation');
    expectError(await customer.call('accept_greeting', { ...unknown, unique_id: undefined }), 'validation');
    expectError(await customer.call('accept_greeting', { ...unknown, greeting_id: 'one' }), 'validation');
  });

  it('cancel_greeting accepts only greetings that were shown', async () => {
    const customer = await organization.customer();
    expectError(await customer.call('cancel_greeting', { unique_id: 'NOSUCHGREETING' }), 'greeting_not_found');
    expectError(await customer.call('cancel_greeting', {}), 'validation');
  });
});

describe('request_email_verification', () => {
  it('request_email_verification returns an empty object', async () => {
    const customer = await organization.customer();
    await customer.ok('update_customer', { email: 'ann@example.com' });
    const callback_uri = 'https://example.com/verified';
    expectEmpty(await customer.call('request_email_verification', { callback_uri }));
  });

  it.each([undefined, '', 'example', 'ftp://example.com/'])(
    'request_email_verification rejects %j',
    async (callback_uri) => {
      const customer = await organization.customer();
      await customer.ok('update_customer', { email: 'ann@example.com' });
      expectError(await customer.call('request_email_verification', { callback_uri }), 'validation');
    },
  );
});
