import { afterAll, describe, expect, it } from 'vitest';
import { type Caller, expectEmpty, expectError, type Json, message, send, startChat, TIME } from './call.ts';
import { newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const card = {
  type: 'rich_message',
  template_id: 'cards',
  elements: [
    {
      title: 'Shoes',
      subtitle: 'Red ones',
      buttons: [{ text: 'Buy', type: 'message', value: 'buy', postback_id: 'buy', user_ids: [] }],
    },
  ],
};

const sendIn = async (customer: Caller, event: object) => {
  const chat = await startChat(customer);
  return { ...chat, response: await customer.call('send_event', { chat_id: chat.chatId, event }) };
};

const lastEvent = async (customer: Caller, chatId: string): Promise<Json> =>
  (await customer.ok('get_chat', { chat_id: chatId })).thread.events.at(-1);

describe('send_event', () => {
  it.each<[string, object]>([
    ['message', message('hello')],
    ['rich_message of cards', card],
    ['rich_message of quick replies', { ...card, template_id: 'quick_replies' }],
    [
      'rich_message of a sticker',
      { type: 'rich_message', template_id: 'sticker', elements: [{ image: { url: 'https://example.com/s.png' } }] },
    ],
    ['custom', { type: 'custom', content: { order: { number: 7 } } }],
    [
      'filled_form',
      {
        type: 'filled_form',
        form_id: '1',
        form_type: 'prechat',
        fields: [
          { type: 'name', id: '1', label: 'Your name', answer: 'Ann' },
          { type: 'radio', id: '2', label: 'Size', answer: { id: '0', label: 'S' } },
          { type: 'checkbox', id: '3', label: 'Extras', answers: [{ id: '0', label: 'Gift' }] },
        ],
      },
    ],
  ])('send_event accepts a %s', async (_, event) => {
    const customer = await organization.customer();
    const { chatId, threadId, response } = await sendIn(customer, event);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 200,
      body: { event_id: `${threadId}_1` },
    });
    expect(await lastEvent(customer, chatId)).toMatchObject({
      ...event,
      id: `${threadId}_1`,
      author_id: customer.id,
      created_at: expect.stringMatching(TIME),
      visibility: 'all',
    });
  });

  it.each<[string, object]>([
    ['form', { type: 'form', form_id: '1', fields: [] }],
    ['system_message', { type: 'system_message', system_message_type: 'x', text: 'I am the system' }],
    ['unknown type', { type: 'telepathy' }],
    ['event without a type', { text: 'hello' }],
    ['message without a text', { type: 'message' }],
  ])('send_event rejects a %s', async (_, event) => {
    expectError((await sendIn(await organization.customer(), event)).response, 'validation');
  });

  it('send_event requires a chat of this customer and an event', async () => {
    const [customer, other] = [await organization.customer(), await organization.customer()];
    const { chatId } = await startChat(other);
    expectError(await customer.call('send_event', { event: message('x') }), 'validation');
    expectError(await customer.call('send_event', { chat_id: chatId }), 'validation');
    expectError(await customer.call('send_event', { chat_id: chatId, event: message('x') }), 'not_found');
  });

  it('send_event updates events_seen_up_to of the author', async () => {
    const customer = await organization.customer();
    const { chatId } = await sendIn(customer, message('hello'));
    const { users, thread } = await customer.ok('get_chat', { chat_id: chatId });
    expect(users[0].events_seen_up_to >= thread.events.at(-1).created_at).toBe(true);
  });

  it('send_event with the same custom_id sends the event once', async () => {
    const customer = await organization.customer();
    const { chatId, threadId } = await startChat(customer);
    const say = () => customer.ok('send_event', { chat_id: chatId, event: message('once', { custom_id: 'c-1' }) });
    const responses = [await say(), ...(await Promise.all([say(), say()]))];
    expect(responses).toEqual(Array(3).fill({ event_id: `${threadId}_1` }));
    const { thread } = await customer.ok('get_chat', { chat_id: chatId });
    expect(thread.events).toMatchObject([{ custom_id: 'c-1' }]);
  });

  it('send_event ignores fields that only the server sets', async () => {
    const customer = await organization.customer();
    const input = { id: 'mine', created_at: '2001-01-01T00:00:00.000000Z', author_id: 'agent@shop.test' };
    const { chatId, threadId } = await sendIn(customer, message('hello', input));
    const event = await lastEvent(customer, chatId);
    expect(event).toMatchObject({ id: `${threadId}_1`, author_id: customer.id });
    expect(event.created_at > '2002').toBe(true);
  });

  it('events of a thread are numbered without gaps even when sent concurrently', async () => {
    const customer = await organization.customer();
    const { chatId, threadId } = await startChat(customer);
    const texts = Array.from({ length: 12 }, (_, at) => `m${at}`);
    const responses = await Promise.all(
      texts.map((text) => customer.ok('send_event', { chat_id: chatId, event: message(text) })),
    );
    const expected = texts.map((_, at) => `${threadId}_${at + 1}`);
    expect(new Set(responses.map(({ event_id }) => event_id))).toEqual(new Set(expected));
    const { thread } = await customer.ok('get_chat', { chat_id: chatId });
    expect(thread.events.map(({ id }: Json) => id)).toEqual(expected);
  });
});

describe('upload_file', () => {
  it('upload_file returns a URL that serves the file', async () => {
    const customer = await organization.customer();
    const { status, body } = await customer.upload('hello file');
    expect({ status, body }).toEqual({ status: 200, body: { url: expect.stringMatching(/^https?:/) } });
    const file = await send(body.url, {});
    expect({ status: file.status, body: file.body }).toEqual({ status: 200, body: 'hello file' });
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect(file.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('a file event contains the metadata of the upload, including the size of an image', async () => {
    const customer = await organization.customer();
    const { url } = (await customer.upload(PNG, 'dot.png', 'image/png')).body;
    const { chatId, response } = await sendIn(customer, { type: 'file', url, alternative_text: 'a dot' });
    expect(response.status).toBe(200);
    expect(await lastEvent(customer, chatId)).toMatchObject({
      type: 'file',
      name: 'dot.png',
      content_type: 'image/png',
      size: PNG.length,
      width: 1,
      height: 1,
      thumbnail_url: expect.stringMatching(/^https?:/),
      thumbnail2x_url: expect.stringMatching(/^https?:/),
      alternative_text: 'a dot',
    });
  });

  it('file events accept only URLs of our own uploads', async () => {
    const url = 'https://example.com/elsewhere.png';
    expectError((await sendIn(await organization.customer(), { type: 'file', url })).response, 'validation');
  });

  it.each([
    ['a Windows program', Buffer.from(`MZ${'\0'.repeat(58)}\x80\0\0\0${'\0'.repeat(64)}PE\0\0`, 'latin1'), 'a.exe'],
    ['a Linux program', Buffer.from('\x7fELF\x02\x01\x01'.padEnd(64, '\0'), 'latin1'), 'a'],
    ['a shell script', Buffer.from('#!/bin/sh\necho hello\n'), 'a.sh'],
    ['a program under another name', Buffer.from('\x7fELF\x02\x01\x01'.padEnd(64, '\0'), 'latin1'), 'photo.png'],
  ])('upload_file rejects %s', async (_, content, name) => {
    expectError(await (await organization.customer()).upload(content, name), 'validation');
  });

  it.each([
    ['HTML', '<!doctype html><script>alert(1)</script>', 'a.html', 'text/html'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'a.svg', 'image/svg+xml'],
  ])('uploaded files of type %s are served as downloads', async (_, content, name, type) => {
    const { body } = await (await organization.customer()).upload(content, name, type);
    const { headers } = await send(body.url, {});
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it('upload_file requires a file', async () => {
    const customer = await organization.customer();
    expectError(await customer.call('upload_file', {}), 'validation');
    const form = new FormData();
    form.append('other', 'text');
    expectError(await customer.call('upload_file', {}, { raw: form }), 'validation');
  });
});

describe('send_rich_message_postback', () => {
  const press = async (customer: Caller) => {
    const { chatId, threadId } = await sendIn(customer, card);
    const postback = (id: string, toggled: boolean, more: object = {}) =>
      customer.call('send_rich_message_postback', {
        chat_id: chatId,
        thread_id: threadId,
        event_id: `${threadId}_1`,
        postback: { id, toggled },
        ...more,
      });
    const pressed = async () => (await lastEvent(customer, chatId)).elements[0].buttons[0].user_ids;
    return { chatId, threadId, postback, pressed };
  };

  it('send_rich_message_postback toggles a button', async () => {
    const customer = await organization.customer();
    const { postback, pressed } = await press(customer);
    for (const toggled of [true, true, false, true]) {
      expectEmpty(await postback('buy', toggled));
      expect(await pressed()).toEqual(toggled ? [customer.id] : []);
    }
  });

  it.each(['chat_id', 'thread_id', 'event_id', 'postback'])('send_rich_message_postback requires %s', async (field) => {
    const { postback } = await press(await organization.customer());
    expectError(await postback('buy', true, { [field]: undefined }), 'validation');
  });

  it('send_rich_message_postback requires an existing event', async () => {
    const { postback, threadId } = await press(await organization.customer());
    expectError(await postback('buy', true, { event_id: `${threadId}_99` }), 'not_found');
  });
});

describe('send_sneak_peek', () => {
  it('send_sneak_peek returns an empty object and stores nothing', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    expectEmpty(await customer.call('send_sneak_peek', { chat_id: chatId, sneak_peek_text: 'I am typ' }));
    expect(JSON.stringify(await customer.ok('get_chat', { chat_id: chatId }))).not.toContain('I am typ');
  });

  it('send_sneak_peek requires a chat, a text and an active thread', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    expectError(await customer.call('send_sneak_peek', { chat_id: chatId }), 'validation');
    expectError(await customer.call('send_sneak_peek', { sneak_peek_text: 'x' }), 'validation');
    await customer.ok('deactivate_chat', { id: chatId });
    expectError(await customer.call('send_sneak_peek', { chat_id: chatId, sneak_peek_text: 'x' }), 'chat_inactive');
  });
});

describe('mark_events_as_seen', () => {
  const seenBy = async (customer: Caller, chatId: string): Promise<string> =>
    (await customer.ok('get_chat', { chat_id: chatId })).users[0].events_seen_up_to;

  it('mark_events_as_seen moves the timestamp only forward', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer, [message('hello')]);
    const before = await seenBy(customer, chatId);
    const mark = (seen_up_to: string) => customer.call('mark_events_as_seen', { chat_id: chatId, seen_up_to });
    expectEmpty(await mark('2001-01-01T00:00:00.000000Z'));
    expect(await seenBy(customer, chatId)).toBe(before);
    const later = new Date(Date.parse(before) + 1000).toISOString().replace('Z', '000Z');
    expectEmpty(await mark(later));
    const after = await seenBy(customer, chatId);
    expect(after > before && after <= later).toBe(true);
  });

  it.each(['2026-01-01T10:00:00Z', '2026-01-01T10:00:00.123456Z', '2026-01-01T10:00:00+02:00'])(
    'mark_events_as_seen accepts %s',
    async (seen_up_to) => {
      const customer = await organization.customer();
      const { chatId } = await startChat(customer);
      expectEmpty(await customer.call('mark_events_as_seen', { chat_id: chatId, seen_up_to }));
    },
  );

  it.each([undefined, '', 'yesterday', '2026-13-01T00:00:00Z', 1_767_225_600])(
    'mark_events_as_seen rejects %s',
    async (seen_up_to) => {
      const customer = await organization.customer();
      const { chatId } = await startChat(customer);
      expectError(await customer.call('mark_events_as_seen', { chat_id: chatId, seen_up_to }), 'validation');
    },
  );
});
