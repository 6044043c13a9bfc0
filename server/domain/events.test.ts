import { describe, expect, it } from 'vitest';
import { type DomainEvent, readEvent, topicOf, writeEvent } from './events.ts';
import type { EventRecord } from './support/chats/records.ts';

const at = new Date('2026-03-02T10:00:00.123Z');
const inChat = { organizationId: 'o', chatId: 'C', threadId: 'T', customerId: 'c', groupIds: [0] };
const record: EventRecord = {
  id: 'T_1',
  chatId: 'C',
  threadId: 'T',
  number: 1,
  author: { kind: 'customer', id: 'c' },
  createdAt: at,
  content: { type: 'message', text: 'Hello' },
  visibility: 'all',
  properties: {},
};

const events: DomainEvent[] = [
  { type: 'event_sent', ...inChat, event: record },
  {
    type: 'chat_started',
    ...inChat,
    chat: {
      id: 'C',
      customerId: 'c',
      groupIds: [0],
      properties: { ns: { seenUpTo: 'never' } },
      active: true,
      continuous: false,
      lastThreadId: 'T',
      lastThreadCreatedAt: at,
      createdAt: at,
      users: [{ kind: 'customer', id: 'c', sessionFields: [{ bornAt: '2001' }], present: true, seenUpTo: at }],
      thread: {
        id: 'T',
        chatId: 'C',
        active: true,
        groupIds: [0],
        properties: {},
        tags: [],
        createdAt: at,
        closedAt: at,
        userIds: [{ kind: 'customer', id: 'c' }],
        events: [record],
      },
    },
  },
  { type: 'chat_deactivated', ...inChat, userId: 'c' },
];

describe('events on the bus', () => {
  it.each(events)('are read as they were written: $type', (event) =>
    expect(readEvent(writeEvent(event))).toEqual(event),
  );

  it('keep client text under keys that look like dates', () => {
    const content = {
      type: 'custom' as const,
      content: { createdAt: 'soon', paidAt: '2026-03-02', upTo: [{ endsAt: '' }] },
    };
    const event: DomainEvent = {
      type: 'event_sent',
      ...inChat,
      event: { ...record, content, properties: { shop: { orderedAt: 'yesterday', seenUpTo: '2026' } } },
    };
    expect(readEvent(writeEvent(event))).toEqual(event);
  });

  it.each(['2026-13-45T25:61:61.000Z', '2026-02-30T00:00:00.000Z'])('keep the client text %s', (endsAt) => {
    const content = { type: 'custom' as const, content: { endsAt } };
    const event: DomainEvent = { type: 'event_sent', ...inChat, event: { ...record, content } };
    expect(JSON.parse(JSON.stringify(readEvent(writeEvent(event))))).toMatchObject({ event: { content } });
  });

  it('are valid JSON', () => {
    expect(typeof JSON.parse(writeEvent(events[0]!))).toBe('object');
  });
});

describe('topicOf', () => {
  it('is the organization, the shared credentials topic, or undefined', () => {
    expect(topicOf({ type: 'chat_deactivated', ...inChat })).toBe('organization.o');
    expect(topicOf({ type: 'credentials_changed', organizationId: 'o' })).toBe('credentials');
    expect(topicOf({ type: 'partner_created', partnerId: 1, login: 'l', firstName: 'f' })).toBeUndefined();
  });
});
