import { afterAll, describe, expect, it } from 'vitest';
import { archiveChat, type Caller, expectEmpty, expectError, type Json, message, startChat } from './call.ts';
import { itWithDatabase, newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

const MB = 1024 * 1024;

interface Range {
  operation: string;
  field: string;
  accepted: number[];
  rejected: unknown[];
}

describe.each<Range>([
  { operation: 'list_chats', field: 'limit', accepted: [1, 25], rejected: [0, -1, 26, 2.5, 'ten'] },
  { operation: 'list_threads', field: 'limit', accepted: [1, 100], rejected: [0, -1, 101, 2.5, 'ten'] },
  { operation: 'list_threads', field: 'min_events_count', accepted: [1, 100], rejected: [0, -1, 101, 2.5, 'ten'] },
])('$field of $operation', ({ operation, field, accepted, rejected }) => {
  const call = async (value: unknown) => {
    const customer = await organization.customer();
    const chat = operation === 'list_threads' ? { chat_id: (await startChat(customer)).chatId } : {};
    return customer.call(operation, { ...chat, [field]: value });
  };
  it.each(accepted)('accepts %j', async (value) => expect((await call(value)).status).toBe(200));
  it.each(rejected)('rejects %j', async (value) => expectError(await call(value), 'validation'));
});

describe('default limits', () => {
  it('list_chats returns 10 chats by default', async () => {
    const customer = await organization.customer();
    for (let made = 0; made < 11; made++) await startChat(customer);
    const answer = await customer.ok('list_chats');
    expect({ shown: answer.chats_summary.length, total: answer.total_chats }).toEqual({ shown: 10, total: 11 });
  });

  it('list_threads returns 3 threads by default', async () => {
    const customer = await organization.customer();
    const { chatId } = await archiveChat(customer, 4);
    expect((await customer.ok('list_threads', { chat_id: chatId })).threads).toHaveLength(3);
  });
});

describe('upload_file', () => {
  it('upload_file accepts 10 MB', async () => {
    const customer = await organization.customer();
    const { status, body } = await customer.upload(Buffer.alloc(10 * MB, 'a'));
    expect({ status, body }).toEqual({ status: 200, body: { url: expect.any(String) } });
  });

  it.each([1, MB])('upload_file rejects 10 MB plus %d bytes', async (more) => {
    const customer = await organization.customer();
    const answer = await customer.upload(Buffer.alloc(10 * MB + more, 'a'));
    expectError(answer, 'entity_too_large');
    expect(answer.body.error.message).toBe('Upload limit exceeded (10MB).');
  });
});

describe('session fields', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => ({ [`key${at}`]: String(at) }));
  const inOneObject = (count: number) => [Object.assign({}, ...fields(count))];

  it.each(['set_customer_session_fields', 'update_customer'])(
    '%s accepts 100 keys and keeps their order',
    async (name) => {
      const customer = await organization.customer();
      expectEmpty(await customer.call(name, { session_fields: fields(100).toReversed() }));
      expect((await customer.ok('get_customer')).session_fields).toEqual(fields(100).toReversed());
      expectEmpty(await customer.call(name, { session_fields: inOneObject(100) }));
    },
  );

  it.each(['set_customer_session_fields', 'update_customer'])('%s rejects 101 keys', async (name) => {
    const customer = await organization.customer();
    for (const session_fields of [fields(101), inOneObject(101)]) {
      const { status, body } = await customer.call(name, { session_fields });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(['validation', 'limit_reached']).toContain(body.error.type);
    }
    expect(await customer.ok('get_customer')).not.toHaveProperty('session_fields');
  });
});

describe('events', () => {
  const say = async (customer: Caller, event: object) =>
    customer.call('send_event', { chat_id: (await startChat(customer)).chatId, event });
  const element = (buttons: number) => ({
    title: 'x',
    buttons: Array.from({ length: buttons }, (_, at) => ({ text: 'x', postback_id: `b${at}` })),
  });
  const cards = (elements: number, buttons: number) => ({
    type: 'rich_message',
    template_id: 'cards',
    elements: Array.from({ length: elements }, () => element(buttons)),
  });

  it.each<[string, object, boolean]>([
    ['a text of 16 KB', message('x'.repeat(16 * 1024)), true],
    ['a text of 16 KB plus one byte', message('x'.repeat(16 * 1024 + 1)), false],
    ['a text of 16 KB in two-byte letters', message('ż'.repeat(8 * 1024)), true],
    ['a text of two-byte letters past 16 KB', message('ż'.repeat(8 * 1024 + 1)), false],
    ['10 elements of 13 buttons', cards(10, 13), true],
    ['11 elements', cards(11, 1), false],
    ['14 buttons', cards(1, 14), false],
  ])('the limit is enforced for %s', async (_, event, accepted) => {
    const answer = await say(await organization.customer(), event);
    if (accepted) expect(answer.status).toBe(200);
    else expectError(answer, 'validation');
  });
});

it('a customer can have at most 50 active chats', async () => {
  const customer = await organization.customer();
  for (let made = 0; made < 50; made++) await customer.ok('start_chat', { continuous: true });
  expectError(await customer.call('start_chat', { continuous: true }), 'limit_reached');
  const [{ id }] = (await customer.ok('list_chats')).chats_summary;
  await customer.ok('deactivate_chat', { id });
  await customer.ok('start_chat', { continuous: true });
});

it('a client id can register three webhooks per action', async () => {
  const { owner, id } = await newOrganization(target);
  const call = async (operation: string, payload: object) => {
    const response = await fetch(`${target.url}/v3.5/configuration/action/${operation}?organization_id=${id}`, {
      method: 'POST',
      headers: { authorization: owner, 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
  };
  const webhook = (action: string, owner_client_id: string) =>
    call('register_webhook', {
      url: 'https://example.com/hook',
      action,
      secret_key: 'a secret',
      owner_client_id,
      type: 'license',
    });
  for (let count = 0; count < 3; count++) expect(await webhook('incoming_event', 'one')).toMatchObject({ status: 200 });
  expectError(await webhook('incoming_event', 'one'), 'limit_reached');
  expect(await webhook('incoming_event', 'two')).toMatchObject({ status: 200 });
  expect(await webhook('incoming_chat', 'one')).toMatchObject({ status: 200 });
});

/** Takes real time, because only the clock of the server ends a request. */
itWithDatabase(target)(
  'a request takes at most 15 seconds',
  async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    const release = await target.hold!('lock table threads in access exclusive mode');
    expectError(await customer.call('list_threads', { chat_id: chatId }), 'request_timeout');
    await release();
    expect((await customer.call('list_threads', { chat_id: chatId })).status).toBe(200);
  },
  40_000,
);
