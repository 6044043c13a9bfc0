import { sql } from 'kysely';
import { acceptingAgents } from '../groups/online.ts';
import type { OrganizationScope } from '../scope.ts';

/**
 * Who gets the next chat of these groups: the accepting agent with the most room relative to its limit; among equals the
 * one who waited longest for a chat. When nobody has room it is who will most likely have some first.
 */
export const findNextAgent = (scope: OrganizationScope, groupIds: number[]) =>
  acceptingAgents(scope, groupIds)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('chatUsers')
          .innerJoin('chats', (join) =>
            join
              .onRef('chats.organizationId', '=', 'chatUsers.organizationId')
              .onRef('chats.id', '=', 'chatUsers.chatId'),
          )
          .whereRef('chatUsers.organizationId', '=', 'agents.organizationId')
          .whereRef('chatUsers.userId', '=', 'agents.id')
          .where('chatUsers.kind', '=', 'agent')
          .where('chatUsers.present', '=', true)
          .where('chats.active', '=', true)
          .select((load) => [load.fn.countAll<number>().as('open'), load.fn.max('chatUsers.joinedAt').as('lastAt')])
          .as('load'),
      (join) => join.onTrue(),
    )
    .where('agents.maxChatsCount', '>', 0)
    .orderBy(sql`load.open::float / agents.max_chats_count`)
    .orderBy('load.lastAt', (order) => order.asc().nullsFirst())
    .orderBy('agents.id')
    .select(['agents.id', 'agents.name', 'agents.avatar', 'agents.jobTitle'])
    .select(sql<number>`greatest(agents.max_chats_count - load.open, 0)`.as('room'))
    .limit(1)
    .executeTakeFirst();
