import { sql } from 'kysely';
import { requireAgent, visibleGroups } from '../access.ts';
import type { OrganizationScope } from '../scope.ts';

/**
 * The threads this agent may look up. The customer is joined on the left side and on its key, so that PostgreSQL leaves
 * it out of a count that does not ask about it.
 */
export const visibleThreads = (scope: OrganizationScope) => {
  const groups = visibleGroups(requireAgent(scope.actor));
  const threads = scope
    .from('threads')
    .innerJoin('chats', (join) =>
      join.onRef('chats.organizationId', '=', 'threads.organizationId').onRef('chats.id', '=', 'threads.chatId'),
    )
    .leftJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'chats.organizationId')
        .onRef('customers.id', '=', 'chats.customerId'),
    )
    .where('chats.anonymized', '=', false);
  return groups ? threads.where(sql<boolean>`threads.group_ids && ${groups}::int[]`) : threads;
};

export type ThreadQuery = ReturnType<typeof visibleThreads>;
