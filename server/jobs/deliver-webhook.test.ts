import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { setWebhookEnabled, unregisterWebhook } from '#server/domain/support/webhooks/register.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildWebhook, SECRET_KEY } from '#server/testing/builders/webhooks.ts';
import { answerStatus, hang, ok, type Receiver, startReceiver } from '#server/testing/http/receiver.ts';

const MINUTE = 60_000;
const SIX_HOURS = 6 * 60 * MINUTE;

const test = useTestApp({ config: { allowPrivateWebhooks: true } });
let organization: TestOrganization;
let customer: TestCustomer;
let receiver: Receiver;
beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  receiver = await startReceiver();
});
afterEach(async () => {
  await organization.scope.remove('webhooks').execute();
  await receiver[Symbol.asyncDispose]();
});

const listen = (action: string, to = receiver, of = organization) => buildWebhook(of, { action, url: to.url });
const say = (chatId: string, text: string, of = organization, by = customer) =>
  sendEvent(customerScope(of, by), { chatId, event: messageDraft(text), attachToLastThread: false });
const rows = () => organization.scope.from('webhookDeliveries').orderBy('sequence').selectAll().execute();
const texts = ({ received }: Receiver) => received.map(({ body }) => body.payload.event.text);

describe('a webhook', () => {
  it('carries the payload of the push and the additional data it was registered with', async () => {
    await buildWebhook(organization, {
      action: 'incoming_event',
      url: receiver.url,
      additionalData: ['chat_properties', 'chat_presence_user_ids'],
    });
    const { chatId, threadId } = await buildChat(organization, customer, { texts: ['first'] });
    const { eventId } = await say(chatId, 'hello');
    await test.runDueJobs();
    const [webhook] = await organization.scope.from('webhooks').select('id').execute();
    expect(receiver.received.map(({ body }) => body)).toEqual([
      {
        webhook_id: webhook!.id,
        secret_key: SECRET_KEY,
        action: 'incoming_event',
        organization_id: organization.id,
        payload: {
          chat_id: chatId,
          thread_id: threadId,
          event: {
            id: eventId,
            type: 'message',
            text: 'hello',
            author_id: customer.id,
            created_at: '2026-03-02T10:00:00.000000Z',
            visibility: 'all',
          },
        },
        additional_data: { chat_properties: {}, chat_presence_user_ids: [customer.id, organization.owner.login] },
      },
    ]);
  });

  it('is signed with the key of its receiver', async () => {
    await listen('incoming_chat');
    await buildChat(organization, customer);
    await test.runDueJobs();
    const [{ headers, text }] = receiver.received as [(typeof receiver.received)[0]];
    const timestamp = headers['x-parley-timestamp'];
    expect(Number(timestamp)).toBe(test.clock.now().getTime() / 1000);
    const expected = createHmac('sha256', SECRET_KEY).update(`${timestamp}.${text}`).digest('hex');
    expect(headers['x-parley-signature']).toBe(`sha256=${expected}`);
    expect(headers['content-type']).toBe('application/json');
  });

  it('is delivered for each event of a chat, in order', async () => {
    for (const action of ['incoming_chat', 'incoming_event', 'chat_deactivated']) await listen(action);
    const { chatId } = await buildChat(organization, customer);
    await say(chatId, 'hello');
    await deactivateChat(customerScope(organization, customer), { chatId });
    const written = (await rows()).map(({ action }) => action);
    expect(written).toEqual(['incoming_chat', 'incoming_event', 'incoming_event', 'chat_deactivated']);
    await test.runDueJobs();
    expect(receiver.received.map(({ body }) => body.action).sort()).toEqual(written.sort());
  });

  it('is not delivered when the transaction is rolled back', async () => {
    await listen('chat_deactivated');
    const { chatId, threadId } = await buildChat(organization, customer);
    const close = async (fail: boolean) =>
      organization.scope.transaction(async (tx) => {
        const about = { organizationId: organization.id, chatId, threadId, customerId: customer.id, groupIds: [] };
        tx.emit({ type: 'chat_deactivated', ...about });
        if (fail) throw new Error('no');
      });
    await expect(close(true)).rejects.toThrow('no');
    expect(await rows()).toEqual([]);
    await close(false);
    expect(await rows()).toHaveLength(1);
  });

  it('is not sent while it is disabled, nor after it was removed', async () => {
    const { id } = await listen('incoming_event');
    const { chatId } = await buildChat(organization, customer);
    await say(chatId, 'before');
    await setWebhookEnabled(organization.scope, { id, enabled: false });
    await say(chatId, 'meanwhile');
    await test.runDueJobs();
    expect(receiver.received).toEqual([]);
    await setWebhookEnabled(organization.scope, { id, enabled: true });
    await test.runDueJobs();
    expect(texts(receiver)).toEqual(['before']);
    await say(chatId, 'last');
    await unregisterWebhook(organization.scope, { id });
    await test.runDueJobs();
    expect(texts(receiver)).toEqual(['before']);
  });

  it('is delivered only for events of the author type it asked for', async () => {
    await buildWebhook(organization, { action: 'incoming_event', url: receiver.url, authorType: 'agent' });
    const { chatId } = await buildChat(organization, customer);
    await say(chatId, 'from a customer');
    await test.runDueJobs();
    expect(receiver.received).toEqual([]);
  });
});

describe('an attempt that fails', () => {
  it('is retried under the same id, ten times in six hours, and then fails', async () => {
    receiver.answerWith(answerStatus(500));
    await listen('incoming_event');
    const { chatId } = await buildChat(organization, customer);
    await say(chatId, 'hello');
    const start = test.clock.now().getTime();
    await test.runDueJobs();
    for (let tries = 1; tries < 10; tries++) {
      expect(receiver.received).toHaveLength(tries);
      const [{ state, nextAttemptAt }] = (await rows()) as [Awaited<ReturnType<typeof rows>>[0]];
      expect(state).toBe('pending');
      test.clock.advance(nextAttemptAt.getTime() - test.clock.now().getTime() - 1);
      await test.runDueJobs();
      expect(receiver.received).toHaveLength(tries);
      test.clock.advance(1);
      await test.runDueJobs();
    }
    expect(test.clock.now().getTime() - start).toBe(SIX_HOURS);
    expect(new Set(receiver.received.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(await rows()).toMatchObject([
      { state: 'failed', attempts: 10, lastStatus: 500, lastError: 'answered 500', finishedAt: test.clock.now() },
    ]);
    test.clock.advance(SIX_HOURS);
    await test.runDueJobs();
    expect(receiver.received).toHaveLength(10);
  });

  it('delays later deliveries of its chat but not of other chats', async () => {
    await listen('incoming_event');
    const one = await buildChat(organization, customer);
    const other = await buildChat(organization, customer);
    receiver.answerWith((response, message) =>
      message.body.payload.event.text === '1' ? answerStatus(503)(response, message) : ok(response, message),
    );
    for (const text of ['1', '2', '3']) await say(one.chatId, text);
    await say(other.chatId, 'elsewhere');
    await test.runDueJobs();
    expect(texts(receiver).sort()).toEqual(['1', 'elsewhere']);
    receiver.answerWith(ok);
    test.clock.advance(MINUTE);
    await test.runDueJobs();
    expect(texts(receiver).slice(2)).toEqual(['1', '2', '3']);
  });

  it.each([301, 302, 307, 308])('may be a redirect (%i), which is not followed', async (status) => {
    await using inside = await startReceiver();
    receiver.answerWith(answerStatus(status, { location: inside.url }));
    await listen('incoming_chat');
    await buildChat(organization, customer);
    await test.runDueJobs();
    expect(inside.received).toEqual([]);
    expect(await rows()).toMatchObject([{ state: 'pending', attempts: 1, lastStatus: status }]);
  });

  it('reads only the status of a response with an endless body', async () => {
    let sent = 0;
    receiver.answerWith((response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sent++;
        sent++;
      };
      response.on('drain', pour);
      pour();
    });
    await listen('incoming_chat');
    await buildChat(organization, customer);
    await test.runDueJobs();
    expect(await rows()).toMatchObject([{ state: 'delivered', lastStatus: 200 }]);
    expect(sent * 64).toBeLessThan(16 * 1024);
  });
});

describe('a receiver that hangs', () => {
  it('does not delay deliveries of another organization', async () => {
    await using theirs = await startReceiver();
    const others = await buildOrganization(test);
    const stranger = await buildCustomer(others);
    receiver.answerWith(hang);
    await listen('incoming_event');
    for (let n = 0; n < 12; n++) {
      const { chatId } = await buildChat(organization, customer);
      await say(chatId, 'stuck');
    }
    await buildWebhook(others, { action: 'incoming_event', url: theirs.url });
    const { chatId } = await buildChat(others, stranger);
    for (let n = 0; n < 5; n++) await say(chatId, `${n}`, others, stranger);
    const settled = test.runDueJobs();
    await theirs.reached(5);
    expect(texts(theirs)).toEqual(['0', '1', '2', '3', '4']);
    expect(receiver.received.length).toBeLessThanOrEqual(4);
    receiver.answerWith(ok);
    await receiver[Symbol.asyncDispose]();
    await settled;
  });
});

describe('many receivers that hang', () => {
  const TENANTS = 34;
  const CHATS = 6;
  const MAX_PER_WEBHOOK = 4;

  it('do not delay deliveries of a healthy one', async () => {
    await using theirs = await startReceiver();
    receiver.answerWith(hang);
    const hanging = [];
    for (let n = 0; n < TENANTS; n++) {
      const tenant = await buildOrganization(test);
      hanging.push(tenant);
      const visitor = await buildCustomer(tenant);
      await listen('incoming_chat', receiver, tenant);
      for (let chat = 0; chat < CHATS; chat++) await buildChat(tenant, visitor);
    }
    const settled = test.runDueJobs();
    await receiver.reached(TENANTS);
    const { chatId } = await buildChat(organization, customer);
    await listen('incoming_event', theirs);
    const messages = Array.from({ length: 50 }, (_, n) => `${n}`);
    for (const text of messages) await say(chatId, text);
    const healthy = test.runDueJobs();
    await theirs.reached(messages.length);
    expect(texts(theirs)).toEqual(messages);
    expect(receiver.received.length).toBeLessThanOrEqual(TENANTS * MAX_PER_WEBHOOK);
    for (const tenant of hanging) await tenant.scope.update('webhooks').set({ enabled: false }).execute();
    await receiver[Symbol.asyncDispose]();
    await Promise.all([settled, healthy]);
    for (const tenant of hanging) await tenant.scope.remove('webhooks').execute();
  });
});

describe('a backlog', () => {
  it('of one chat is sent in order although the first attempt failed', async () => {
    await listen('incoming_event');
    const { chatId } = await buildChat(organization, customer);
    receiver.answerWith(answerStatus(500));
    const messages = Array.from({ length: 450 }, (_, n) => `${n}`);
    for (const text of messages) await say(chatId, text);
    await test.runDueJobs();
    expect(texts(receiver)).toEqual(['0']);
    receiver.answerWith(ok);
    test.clock.advance(MINUTE);
    await test.runDueJobs();
    expect(texts(receiver).slice(1)).toEqual(messages);
  });
});

describe('a process that dies', () => {
  it('has its webhooks sent by another one when the lease has expired', async () => {
    await using dying = await startTestApp({ beside: test, config: { allowPrivateWebhooks: true } });
    receiver.answerWith(hang);
    await listen('incoming_chat');
    await buildChat(organization, customer);
    const interrupted = dying.runDueJobs();
    await receiver.reached(1);
    await test.runDueJobs();
    expect(receiver.received).toHaveLength(1);
    receiver.answerWith(ok);
    test.clock.advance(MINUTE);
    await test.runDueJobs();
    expect(receiver.received).toHaveLength(2);
    expect(await rows()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    await receiver[Symbol.asyncDispose]();
    await interrupted;
    expect(await rows()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });
});

describe('a private address', () => {
  it('is never called unless the operator allows it', async () => {
    await using strict = await startTestApp({ beside: test, config: { allowPrivateWebhooks: false } });
    await listen('incoming_chat');
    await buildChat(organization, customer);
    await strict.runDueJobs();
    expect(receiver.received).toEqual([]);
    expect(await rows()).toMatchObject([
      { state: 'pending', attempts: 1, lastError: '127.0.0.1 must have a public address' },
    ]);
  });
});

describe('the delivery log', () => {
  it('keeps finished deliveries for two weeks', async () => {
    await listen('incoming_event');
    const { chatId } = await buildChat(organization, customer);
    await say(chatId, 'old');
    await test.runDueJobs();
    test.clock.advance(15 * 24 * 60 * MINUTE);
    await say(chatId, 'new');
    await test.runDueJobs();
    expect(await rows()).toHaveLength(1);
  });
});
