import { sql } from 'kysely';
import { acceptingAgents } from '../groups/online.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';

const ROUTING_LOCK = 11;

/** One assignment at a time per organization: whoever counts loads must not be overtaken while deciding. */
const takeTurn = (tx: Transaction<OrganizationScope>): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(${ROUTING_LOCK}, hashtext(${tx.organizationId}))`.execute(tx.db);

/** The accepting agent with the most room relative to its limit; among equals the one who waited longest for a chat. */
const chooseAgent = (tx: Transaction<OrganizationScope>, groupIds: number[]) =>
  acceptingAgents(tx, groupIds)
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
    .whereRef('load.open', '<', 'agents.maxChatsCount')
    .orderBy(sql`load.open::float / agents.max_chats_count`)
    .orderBy('load.lastAt', (order) => order.asc().nullsFirst())
    .orderBy('agents.id')
    .select('agents.id')
    .limit(1)
    .executeTakeFirst();

/** Gives a new thread to an agent with room, if there is one; otherwise it waits unassigned. */
export const assignChat = async (
  tx: Transaction<OrganizationScope>,
  { chatId, threadId, groupIds }: { chatId: string; threadId: string; groupIds: number[] },
): Promise<string | undefined> => {
  await takeTurn(tx);
  const agent = await chooseAgent(tx, groupIds);
  if (!agent) return undefined;
  await tx
    .insert('chatUsers', { chatId, kind: 'agent', userId: agent.id, present: true, seenUpTo: null, joinedAt: tx.now() })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'chatId', 'kind', 'userId'])
        .doUpdateSet({ present: true, joinedAt: tx.now() }),
    )
    .execute();
  await tx
    .insert('threadAgents', { threadId, agentId: agent.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return agent.id;
};
