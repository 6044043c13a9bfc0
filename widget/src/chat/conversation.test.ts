import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chat, Thread } from '#contracts/chat/chats.ts';
import type { Event } from '#contracts/chat/events.ts';
import { countUnread, mergeEvents, withChat, withEvent, withPostback } from './conversation.ts';

const eventOf = (number: number, thread = 'T1', author_id = 'agent'): Event => ({
  id: `${thread}_${number}`,
  created_at: `2026-11-15T12:00:${String(number).padStart(2, '0')}.000000Z`,
  type: 'message',
  visibility: 'all',
  text: `${number}`,
  author_id,
});

const threadOf = (id: string, numbers: number[], created_at = '2026-11-15T12:00:00.000000Z'): Thread => ({
  id,
  active: true,
  user_ids: [],
  events: numbers.map((number) => eventOf(number, id)),
  properties: {},
  access: { group_ids: [0] },
  created_at,
});

const chatOf = (thread: Thread): Chat => ({ id: 'C', users: [], access: { group_ids: [0] }, properties: {}, thread });

describe('conversation', () => {
  it('is the same regardless of the order and repetition of its events', () => {
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
    const deliveries = fc
      .shuffledSubarray(numbers, { minLength: 12 })
      .chain((once) => fc.array(fc.constantFrom(...numbers)).map((again) => [...once, ...again]));
    fc.assert(
      fc.property(deliveries, (delivered) => {
        const existing = delivered.reduce<Event[]>((events, number) => mergeEvents(events, [eventOf(number)]), []);
        expect(existing.map(({ text }) => Number(text))).toEqual(numbers);
      }),
    );
  });

  it('keeps loaded threads, oldest first', () => {
    const later = '2026-11-16T12:00:00.000000Z';
    let existing = withChat(undefined, chatOf(threadOf('T2', [1], later)));
    existing = withChat(existing, chatOf(threadOf('T1', [1, 2])));
    existing = withEvent(existing, 'T2', eventOf(2, 'T2'));
    expect(existing.threads.map(({ id, events }) => [id, events.length])).toEqual([
      ['T1', 2],
      ['T2', 2],
    ]);
    expect(withChat(existing, { ...chatOf(threadOf('T9', [1])), id: 'D' }).threads).toHaveLength(1);
  });

  it('counts events of others that the customer has not seen', () => {
    const user = { id: 'me', type: 'customer' as const, present: true, events_seen_up_to: eventOf(1).created_at };
    const thread = threadOf('T1', [1, 2, 3]);
    const mixed = {
      ...thread,
      events: [...thread.events, eventOf(4, 'T1', 'me'), { ...eventOf(5), author_id: undefined }],
    };
    expect(countUnread(withChat(undefined, { ...chatOf(mixed), users: [user] }), 'me')).toBe(2);
    expect(countUnread(undefined, 'me')).toBe(0);
  });

  it('records who pressed a button', () => {
    const event = {
      ...eventOf(1),
      elements: [{ buttons: [{ postback_id: 'a' }, { postback_id: 'b', user_ids: ['x'] }] }],
    };
    const pressed = withPostback(event, { id: 'b', toggled: true }, 'me');
    expect(pressed.elements).toEqual([
      { buttons: [{ postback_id: 'a' }, { postback_id: 'b', user_ids: ['x', 'me'] }] },
    ]);
    expect(withPostback(pressed, { id: 'b', toggled: false }, 'me').elements).toEqual(event.elements);
  });
});
