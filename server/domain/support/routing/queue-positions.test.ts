import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Waiting } from './floor.ts';
import { placesOf } from './queue-positions.ts';

const waiting = (groupIds: number[], at: number): Waiting => ({
  ...{ stayId: at, chatId: `chat-${at}`, threadId: `thread-${at}`, customerId: 'customer', groupIds },
  ...{ priority: 0, enteredAt: new Date(at), botDone: false },
});

it('counts who stands before and asks for a group of one’s own, however many groups one asks for', () => {
  const groups = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(groups, { maxLength: 30 }), (asked) => {
      const places = placesOf(asked.map(waiting), []);
      for (const [at, own] of asked.entries()) {
        const ahead = asked.slice(0, at).filter((other) => other.some((id) => own.includes(id)));
        expect(places.get(`chat-${at}`)!.position).toBe(ahead.length + 1);
      }
    }),
  );
});
