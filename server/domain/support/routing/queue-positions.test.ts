import fc from 'fast-check';
import { expect, it } from 'vitest';
import { queuePositions } from './queue-positions.ts';
import type { QueuedChat } from './routing-snapshot.ts';

const waiting = (groupIds: number[], at: number): QueuedChat => ({
  ...{ queueEntryId: at, chatId: `chat-${at}`, threadId: `thread-${at}`, customerId: 'customer', groupIds },
  ...{ priority: 0, enteredAt: new Date(at), botAnswered: false },
});

it('counts the chats ahead that share at least one group, for any combination of groups', () => {
  const groups = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(groups, { maxLength: 30 }), (queued) => {
      const positions = queuePositions(queued.map(waiting), []);
      for (const [at, own] of queued.entries()) {
        const ahead = queued.slice(0, at).filter((other) => other.some((id) => own.includes(id)));
        expect(positions.get(`chat-${at}`)!.position).toBe(ahead.length + 1);
      }
    }),
  );
});
