import { DomainError } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { getChatRow } from '../read/find-chat.ts';

const latest = (one: Date, other: Date | null): Date => (other && other > one ? other : one);

/**
 * Moves the actor's seen-up-to time forward, but not beyond the present. Clocks of other machines may be ahead, so the
 * time of an existing event counts as present too.
 */
export const markEventsAsSeen = async (
  scope: OrganizationScope,
  { chatId, seenUpTo: requested }: { chatId: string; seenUpTo: Date },
): Promise<void> => {
  const { actor, organizationId } = scope;
  const chat = await getChatRow(scope, chatId);
  if (actor.kind !== 'customer' && actor.kind !== 'agent')
    throw new DomainError('forbidden', 'You are not a user of this chat');
  const newest = latest(scope.now(), chat.lastEventAt);
  const seenUpTo = requested < newest ? requested : newest;
  await scope.transaction(async (tx) => {
    const marked = await tx
      .update('chatUsers')
      .where('chatId', '=', chat.id)
      .where('kind', '=', actor.kind)
      .where('userId', '=', actor.id)
      .where((eb) => eb.or([eb('seenUpTo', 'is', null), eb('seenUpTo', '<', seenUpTo)]))
      .set({ seenUpTo })
      .returning('visibility')
      .executeTakeFirst();
    if (!marked) return;
    const { customerId, groupIds, lastThreadId: threadId } = chat;
    const user = { kind: actor.kind, id: actor.id, ...marked };
    const about = { organizationId, chatId: chat.id, threadId, customerId, groupIds };
    tx.emit({ type: 'events_marked_as_seen', ...about, user, seenUpTo });
  });
};
