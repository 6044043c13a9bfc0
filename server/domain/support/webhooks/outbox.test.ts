import { beforeAll, describe, expect, it } from 'vitest';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { writeWebhookBody } from '#server/surfaces/chat-v3/webhook-bodies.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildWebhook } from '#server/testing/builders/webhooks.ts';
import { type DomainEvent, organizationTopic, readEvent, writeEvent } from '../../events.ts';
import type { EventDraft } from '../chats/records.ts';
import { unregisterWebhook } from './register.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
const heard: DomainEvent[] = [];
beforeAll(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  test.context.ports.bus.subscribe(organizationTopic(organization.id), (text) => heard.push(readEvent(text as string)));
});

const stored = async (): Promise<DomainEvent[]> => {
  const rows = await organization.scope.from('webhookDeliveries').orderBy('sequence').select('event').execute();
  return rows.map(({ event }) => readEvent(JSON.stringify(event)));
};

const drafts: EventDraft[] = [
  { content: { type: 'message', text: 'with “quotes”, \\ and 😀' }, visibility: 'all', properties: {} },
  {
    content: { type: 'message', text: 'again' },
    customId: 'mine',
    visibility: 'all',
    properties: { rating: { score: 1 } },
  },
  { content: { type: 'custom', content: { nested: [1, null, { a: 'b' }] } }, visibility: 'all', properties: {} },
  {
    content: { type: 'filled_form', formId: 'f', fields: [{ label: 'x', answer: 'y' }] },
    visibility: 'all',
    properties: {},
  },
];

describe('the outbox', () => {
  it('stores sent events exactly as they are announced', async () => {
    await buildWebhook(organization, { action: 'incoming_event', url: 'https://receiver.test/' });
    const { chatId } = await buildChat(organization, customer);
    heard.length = 0;
    test.clock.advance(7);
    for (const event of drafts)
      await sendEvent(customerScope(organization, customer), { chatId, event, attachToLastThread: false });
    await Promise.resolve();
    expect(await stored()).toEqual(heard.filter(({ type }) => type === 'event_sent'));
    expect(heard).toHaveLength(drafts.length);
  });

  it('has one row per webhook and none for other actions or organizations', async () => {
    const other = await buildOrganization(test);
    await buildWebhook(other, { action: 'incoming_event', url: 'https://receiver.test/' });
    const mine = await buildOrganization(test);
    for (const action of ['incoming_event', 'incoming_event', 'chat_deactivated'])
      await buildWebhook(mine, { action, url: 'https://receiver.test/' });
    const by = await buildCustomer(mine);
    const { chatId } = await buildChat(mine, by);
    await sendEvent(customerScope(mine, by), { chatId, event: drafts[0]!, attachToLastThread: false });
    expect(await mine.scope.from('webhookDeliveries').select('action').execute()).toHaveLength(2);
    expect(await other.scope.from('webhookDeliveries').select('action').execute()).toHaveLength(0);
  });

  it('has the events of an organization whose first webhook was just added', async () => {
    const mine = await buildOrganization(test);
    const by = await buildCustomer(mine);
    const { chatId } = await buildChat(mine, by);
    const send = () => sendEvent(customerScope(mine, by), { chatId, event: drafts[0]!, attachToLastThread: false });
    await send();
    await buildWebhook(mine, { action: 'incoming_event', url: 'https://receiver.test/' });
    await Promise.all([send(), send(), send()]);
    const events = await mine.scope.from('events').where('chatId', '=', chatId).select('number').execute();
    expect(events).toHaveLength(4);
    expect(await mine.scope.from('webhookDeliveries').select('action').execute()).toHaveLength(3);
  });

  it('does not fail events that are sent while webhooks are removed', async () => {
    const mine = await buildOrganization(test);
    const by = await buildCustomer(mine);
    const chats = await Promise.all(Array.from({ length: 4 }, () => buildChat(mine, by)));
    for (let round = 0; round < 5; round++) {
      const { id } = await buildWebhook(mine, { action: 'incoming_event', url: 'https://receiver.test/' });
      const sending = chats.flatMap(({ chatId }) =>
        Array.from({ length: 5 }, () =>
          sendEvent(customerScope(mine, by), { chatId, event: drafts[0]!, attachToLastThread: false }),
        ),
      );
      await Promise.all([...sending, unregisterWebhook(mine.scope, { id })]);
    }
    expect(await mine.scope.from('webhookDeliveries').select('id').execute()).toEqual([]);
  });
});

describe('the webhook body', () => {
  it('can be built for every event of a chat', async () => {
    const events = [...heard];
    const chat = heard.find((event) => event.type === 'event_sent')!;
    if (!('chatId' in chat)) throw new Error('no chat');
    const { organizationId, chatId, threadId, customerId, groupIds } = chat;
    const about = { organizationId, chatId, threadId, customerId, groupIds };
    events.push({ type: 'agent_status_set', organizationId, agentId: 'a@b.test', status: 'not accepting chats' });
    events.push({ type: 'customer_session_fields_updated', ...about, sessionFields: [{ a: '1' }] });
    for (const event of events) {
      const message = {
        organizationId,
        webhookId: 'w',
        action: 'a',
        event: readEvent(writeEvent(event)),
        additionalData: {},
      };
      expect(JSON.parse(writeWebhookBody(message, 'key')).payload).toBeTypeOf('object');
    }
  });
});
