import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildProperty } from '#server/testing/builders/properties.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
let chat_id: string;
let thread_id: string;

beforeAll(async () => {
  organization = await buildOrganization(test);
  await buildProperty(organization, 'shop', 'sku');
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  ({ chat_id, thread_id } = (await call('start_chat')).body);
});

const send = (event: unknown, input: object = {}) => call('send_event', { chat_id, event, ...input });
const events = async () => (await call('get_chat', { chat_id })).body.thread.events;
const refused = errorResponse(400, 'validation');

describe('send_event', () => {
  it('appends to the open thread and marks it seen', async () => {
    test.clock.advance(5000);
    expect(await send(message('hi'))).toMatchObject({ status: 200, body: { event_id: `${thread_id}_1` } });
    const { thread, users } = (await call('get_chat', { chat_id })).body;
    expect(thread.events).toEqual([
      {
        id: `${thread_id}_1`,
        created_at: expect.stringMatching(/\.\d{6}Z$/),
        type: 'message',
        author_id: customer.id,
        visibility: 'all',
        text: 'hi',
      },
    ]);
    expect(users[0].events_seen_up_to).toBe(thread.events[0].created_at);
  });

  it('accepts at most 16 KB of text', async () => {
    expect((await send(message('x'.repeat(16384)))).status).toBe(200);
    expect(await send(message('x'.repeat(16385)))).toMatchObject(refused);
    expect((await send(message('ż'.repeat(8192)))).status).toBe(200);
    expect(await send(message(`${'ż'.repeat(8192)}x`))).toMatchObject(refused);
    expect((await send(message('😀'.repeat(4096)))).status).toBe(200);
    expect(await send(message(`${'😀'.repeat(4096)}x`))).toMatchObject(refused);
    expect((await events()).map(({ text }: { text: string }) => Buffer.byteLength(text))).toEqual([
      16384, 16384, 16384,
    ]);
  });

  it.each([
    '<script>alert(1)</script>',
    '\u202eevil',
    'a\u200bb',
    '👩‍👩‍👧‍👦',
    "'; drop table events; --",
    '\r\n\t',
    '{{x}}',
    '\\',
  ])('returns the text %j unchanged', async (text) => {
    await send(message(text));
    expect((await events())[0].text).toBe(text);
  });

  it('ignores fields that only the server sets', async () => {
    const noise = {
      id: 'X_9',
      created_at: '2001-01-01T00:00:00Z',
      author_id: 'someone',
      type: 'message',
      thread_id: 'T',
    };
    await send({ ...noise, text: 'hi' });
    expect((await events())[0]).toMatchObject({ id: `${thread_id}_1`, author_id: customer.id });
  });

  it('keeps properties and the postback of a message', async () => {
    const extra = {
      properties: { shop: { sku: 'A1' } },
      postback: { id: 'p', thread_id, event_id: 'e', type: 'message', value: 'v' },
    };
    await send(message('hi', extra));
    expect((await events())[0]).toMatchObject(extra);
  });

  it('sends a retried event once', async () => {
    const first = await send(message('hi', { custom_id: 'k1' }));
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(message('hi', { custom_id: 'k1' }))));
    for (const answer of answers) expect(answer.body).toEqual(first.body);
    expect(await events()).toMatchObject([{ custom_id: 'k1', text: 'hi' }]);
    await call('deactivate_chat', { id: chat_id });
    expect((await send(message('hi', { custom_id: 'k1' }))).body).toEqual(first.body);
  });

  it.each([
    [true, undefined, 200],
    [true, true, 200],
    [true, null, 200],
    [false, undefined, 422],
    [false, false, 422],
    [false, null, 422],
    [false, true, 200],
  ])('with active %j and attach_to_last_thread %j returns %i', async (active, attach_to_last_thread, status) => {
    if (!active) await call('deactivate_chat', { id: chat_id });
    const answer = await send(message('hi'), { attach_to_last_thread });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer).toMatchObject(errorResponse(422, 'chat_inactive'));
    const { thread } = (await call('get_chat', { chat_id })).body;
    expect(thread).toMatchObject({ id: thread_id, active });
  });

  it('finds only chats of the customer', async () => {
    const stranger = callAs(test, organization, await buildCustomer(organization));
    const body = { chat_id, event: message('let me in'), attach_to_last_thread: true };
    expect(await stranger('send_event', body)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await send(message('x'), { chat_id: 'NOSUCHCHAT' })).toMatchObject(errorResponse(404, 'not_found'));
    expect(await events()).toEqual([]);
  });

  it('is impossible in an anonymized chat', async () => {
    await organization.scope.update('chats').where('id', '=', chat_id).set({ anonymized: true }).execute();
    expect(await send(message('x'))).toMatchObject(errorResponse(422, 'chat_anonymized'));
  });
});

describe('events by type', () => {
  const element = (buttons: number) => ({
    title: 't',
    buttons: Array.from({ length: buttons }, (_, at) => ({ text: `b${at}`, postback_id: `p${at}`, user_ids: [] })),
  });
  const rich = (elements: unknown[], template_id = 'cards') => ({ type: 'rich_message', template_id, elements });

  it.each<[string, object]>([
    [
      'filled_form',
      {
        type: 'filled_form',
        form_id: 'f1',
        form_type: 'prechat',
        fields: [{ type: 'name', id: '1', label: 'Name', answer: 'Eve' }],
      },
    ],
    ['rich_message', rich([element(13)])],
    ['rich_message of ten', rich(Array.from({ length: 10 }, () => element(1)))],
    ['quick_replies', rich([element(2)], 'quick_replies')],
    ['sticker', rich([{ image: { url: 'https://x.example/s.png' } }], 'sticker')],
    ['custom', { type: 'custom', content: { any: ['thing', { createdAt: 'soon' }] } }],
  ])('a %s is stored and returned', async (_, event) => {
    expect((await send(event)).status).toBe(200);
    expect((await events())[0]).toMatchObject(event);
  });

  it.each<[string, unknown]>([
    ['a form', { type: 'form', form_id: '1', fields: [] }],
    ['a system_message', { type: 'system_message', system_message_type: 'x', text: 'x' }],
    ['a file on another site', { type: 'file', url: 'https://evil.example/x.png' }],
    ['an unknown type', { type: 'telepathy' }],
    ['no type', { text: 'hi' }],
    ['no text', { type: 'message' }],
    ['an empty text', message('')],
    ['a number instead of text', { type: 'message', text: 5 }],
    ['a list instead of text', { type: 'message', text: ['hi'] }],
    ['eleven elements', rich(Array.from({ length: 11 }, () => element(0)))],
    ['no elements', rich([])],
    ['fourteen buttons', rich([element(14)])],
    ['an unknown template', rich([element(1)], 'poster')],
    ['a form without an id', { type: 'filled_form', fields: [] }],
    [
      '101 fields',
      { type: 'filled_form', form_id: '1', fields: Array(101).fill({ type: 'name', id: '1', label: 'x' }) },
    ],
    ['a custom event without content', { type: 'custom' }],
    ['a custom event with text as content', { type: 'custom', content: 'x' }],
    ['a custom_id that is too long', message('hi', { custom_id: 'x'.repeat(257) })],
    ['an unknown visibility', message('hi', { visibility: 'nobody' })],
    ['properties without names', message('hi', { properties: { ns: 1 } })],
    ['text', 'hi'],
    ['nothing', undefined],
    ['null', null],
    ['a list', [message('hi')]],
  ])('%s is rejected, and nothing is stored', async (_, event) => {
    expect(await send(event)).toMatchObject(refused);
    expect(await events()).toEqual([]);
  });
});
