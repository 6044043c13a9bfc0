import { afterAll, describe, expect, it } from 'vitest';
import { type Json, message } from '../customer/call.ts';
import { join, openChat, openTarget, SALES } from './index.ts';
import { openParticipants } from './participants.ts';
import { actionsOf } from './push-recorder.ts';

const target = await openTarget();
afterAll(target.close);

const recipientsInChat = (...actions: string[]) => ({ owner: actions, colleague: actions, customer: actions });
const agentsIn = (...actions: string[]) => ({ owner: actions, colleague: actions });

const card = (more: object = {}) => ({
  type: 'rich_message',
  template_id: 'cards',
  elements: [{ title: 'Shoes', buttons: [{ text: 'Buy', postback_id: 'buy', user_ids: [] }] }],
  ...more,
});

describe.skipIf(!target.runSql)('pushes about chat events', async () => {
  if (!target.runSql) return;
  const { recordPushes, owner, colleague, customer, sockets, close } = await openParticipants(target);
  afterAll(close);
  const { chat_id, thread_id, event_ids } = await openChat(customer, SALES);
  await join(colleague, chat_id);
  const inThread = { chat_id, thread_id };
  const say = (event: object, as = colleague) => as.ok('send_event', { chat_id, event });

  it('incoming_event carries the request id for the sender and none for others', async () => {
    sockets.colleague.send({ request_id: 7, action: 'send_event', payload: { chat_id, event: message('Hello') } });
    const [first, second] = [
      await sockets.colleague.next(({ request_id }) => request_id === 7),
      await sockets.colleague.next(({ request_id }) => request_id === 7),
    ];
    expect(first).toMatchObject({ type: 'response', success: true, payload: { event_id: expect.any(String) } });
    expect(second).toMatchObject({
      ...{ version: '3.5', type: 'push', action: 'incoming_event' },
      payload: { ...inThread, event: { id: first.payload.event_id, author_id: colleague.id, visibility: 'all' } },
    });
    const seen = await sockets.customer.next(({ payload }) => payload?.event?.id === first.payload.event_id);
    expect(seen).not.toHaveProperty('request_id');
    expect(seen.payload.event.author_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[string, () => Promise<Json> | Json]>([
    ['message', () => message('Hello')],
    ['rich_message', () => card()],
    ['custom', () => ({ type: 'custom', content: { a: 1 } })],
    ['system_message', () => ({ type: 'system_message', system_message_type: 'my.own', text: 'Said by nobody' })],
    [
      'file',
      async () => {
        const form = new FormData();
        form.append('file', new Blob(['hello'], { type: 'text/plain' }), 'note.txt');
        return { type: 'file', url: (await colleague.call('upload_file', {}, { raw: form })).body.url };
      },
    ],
  ])('incoming_event is pushed for a %s', async (type, event) => {
    const sent = await event();
    const received = await recordPushes(() => say(sent));
    expect(actionsOf(received)).toEqual(recipientsInChat('incoming_event'));
    expect(received.customer[0].payload.event).toMatchObject({ type, visibility: 'all' });
    if (type === 'system_message') expect(received.customer[0].payload.event).not.toHaveProperty('author_id');
  });

  it.each<[string, object]>([
    ['a form', { type: 'form', form_id: 'x', fields: [] }],
    ['a message without a text', { type: 'message' }],
    ['more than 16 KB', message('x'.repeat(16 * 1024 + 1))],
    ['a file on another site', { type: 'file', url: 'https://elsewhere.test/a.png' }],
  ])('send_event rejects %s', async (_, event) => {
    expect(await colleague.call('send_event', { chat_id, event })).toMatchObject({
      status: 400,
      body: { error: { type: 'validation' } },
    });
  });

  it.each(['visibility', 'recipients'])(
    'a private note (`%s`) is visible only to agents in pushes and reads',
    async (field) => {
      const text = `between us ${field}`;
      const received = await recordPushes(() => say(message(text, { [field]: 'agents' })));
      expect(actionsOf(received)).toEqual(agentsIn('incoming_event'));
      expect(received.owner[0].payload.event).toMatchObject({ text, visibility: 'agents' });
      for (const operation of ['get_chat', 'list_threads', 'list_chats'])
        expect(
          JSON.stringify(await customer.ok(operation, operation === 'list_chats' ? {} : { chat_id })),
        ).not.toContain(text);
      expect(JSON.stringify(await owner.ok('get_chat', { chat_id }))).toContain(text);
    },
  );

  it('repeating a custom_id returns the same response without another push', async () => {
    const event = message('once', { custom_id: 'once' });
    const first = await say(event);
    let second: Json;
    const received = await recordPushes(async () => {
      second = await say(event);
    });
    expect(second).toEqual(first);
    expect(actionsOf(received)).toEqual({});
  });

  it('incoming_typing_indicator reaches everyone who can see the author except the author', async () => {
    const typing = (more: object = {}) => colleague.ok('send_typing_indicator', { chat_id, is_typing: true, ...more });
    const received = await recordPushes(() => typing());
    expect(actionsOf(received)).toEqual({
      owner: ['incoming_typing_indicator'],
      customer: ['incoming_typing_indicator'],
    });
    expect(received.owner[0].payload).toMatchObject({
      chat_id,
      typing_indicator: { author_id: colleague.id, is_typing: true, timestamp: expect.any(Number) },
    });
    expect(JSON.stringify(received.customer)).not.toContain(colleague.id);
    expect(actionsOf(await recordPushes(() => typing({ visibility: 'agents' })))).toEqual({
      owner: ['incoming_typing_indicator'],
    });
    const unseen = await recordPushes(() => owner.ok('send_typing_indicator', { chat_id, is_typing: true }));
    expect(actionsOf(unseen)).toEqual({ colleague: ['incoming_typing_indicator'] });
  });

  it('incoming_sneak_peek reaches only agents', async () => {
    const received = await recordPushes(() => customer.ok('send_sneak_peek', { chat_id, sneak_peek_text: 'I am typ' }));
    expect(actionsOf(received)).toEqual(agentsIn('incoming_sneak_peek'));
    expect(received.colleague[0].payload).toMatchObject({
      ...inThread,
      sneak_peek: { author_id: customer.id, text: 'I am typ', timestamp: expect.any(Number) },
    });
  });

  it('events_marked_as_seen reaches agents and the customer', async () => {
    const seen_up_to = '2100-01-01T00:00:00.000000Z';
    const byAgent = await recordPushes(() => colleague.ok('mark_events_as_seen', { chat_id, seen_up_to }));
    expect(actionsOf(byAgent)).toEqual(recipientsInChat('events_marked_as_seen'));
    expect(byAgent.owner[0].payload).toMatchObject({ user_id: colleague.id, chat_id });
    const byCustomer = await recordPushes(() => customer.ok('mark_events_as_seen', { chat_id, seen_up_to }));
    expect(actionsOf(byCustomer)).toEqual(recipientsInChat('events_marked_as_seen'));
    expect(byCustomer.owner[0].payload).toMatchObject({ user_id: customer.id });
  });

  it('incoming_rich_message_postback is pushed when the customer presses a button', async () => {
    const { event_id } = await say(card());
    const postback = { id: 'buy', toggled: true };
    const received = await recordPushes(() =>
      customer.ok('send_rich_message_postback', { ...inThread, event_id, postback }),
    );
    expect(actionsOf(received)).toEqual(recipientsInChat('incoming_rich_message_postback'));
    expect(received.colleague[0].payload).toEqual({ user_id: customer.id, ...inThread, event_id, postback });
    const pressed = await recordPushes(() =>
      colleague.ok('send_rich_message_postback', { ...inThread, event_id, postback }),
    );
    expect(actionsOf(pressed)).toEqual(recipientsInChat('incoming_rich_message_postback'));
    expect(JSON.stringify(pressed.customer)).not.toContain(colleague.id);
  });

  it.each(['chat', 'thread', 'event'])('property updates and deletions of a %s are pushed', async (what) => {
    const ids = { chat: { id: chat_id }, thread: inThread, event: { ...inThread, event_id: event_ids[0] } }[what]!;
    const set = { properties: { rating: { score: 1, comment: 'Kind' } } };
    const updated = await recordPushes(() => colleague.ok(`update_${what}_properties`, { ...ids, ...set }));
    expect(updated.owner).toContainEqual(
      expect.objectContaining({ action: `${what}_properties_updated`, payload: expect.objectContaining(set) }),
    );
    const names = { properties: { rating: ['score', 'comment'] } };
    const deleted = await recordPushes(() => colleague.ok(`delete_${what}_properties`, { ...ids, ...names }));
    for (const received of [updated, deleted]) {
      expect(Object.keys(actionsOf(received)).toSorted()).toEqual(['colleague', 'customer', 'owner']);
      expect(actionsOf(received).customer).toEqual(actionsOf(received).owner);
    }
    const unknown = await colleague.call(`update_${what}_properties`, { ...ids, properties: { nobody: { knows: 1 } } });
    expect(unknown).toMatchObject({ status: 400, body: { error: { type: 'validation' } } });
  });

  it('thread_tagged and thread_untagged reach only agents, and only when a tag changed', async () => {
    const tag = { ...inThread, tag: 'vip' };
    const tagged = await recordPushes(() => colleague.ok('tag_thread', tag));
    expect(actionsOf(tagged)).toEqual(agentsIn('thread_tagged'));
    expect(tagged.owner[0].payload).toEqual(tag);
    expect(actionsOf(await recordPushes(() => colleague.ok('tag_thread', tag)))).toEqual({});
    expect((await owner.ok('get_chat', { chat_id })).thread.tags).toEqual(['vip']);
    expect(JSON.stringify(await customer.ok('get_chat', { chat_id }))).not.toContain('vip');
    expect(actionsOf(await recordPushes(() => colleague.ok('untag_thread', tag)))).toEqual(agentsIn('thread_untagged'));
  });

  it('incoming_multicast reaches every named recipient', async () => {
    const content = { hello: 'you' };
    const cast = (recipients: object) => recordPushes(() => colleague.ok('multicast', { recipients, content }));
    const push = ['incoming_multicast'];
    const byLogin = await cast({ agents: { ids: [owner.id] }, customers: { ids: [customer.id] } });
    expect(actionsOf(byLogin)).toEqual({ owner: push, customer: push });
    expect(byLogin.owner[0].payload).toEqual({ author_id: colleague.id, type: 'lc2', content });
    expect(JSON.stringify(byLogin.customer)).not.toContain(colleague.id);
    expect(actionsOf(await cast({ agents: { groups: [SALES] } }))).toEqual({ colleague: push });
    expect(actionsOf(await cast({ agents: { all: true } }))).toEqual({ owner: push, colleague: push, outsider: push });
    expect(await colleague.call('multicast', { recipients: {}, content })).toMatchObject({ status: 400 });
  });
});
