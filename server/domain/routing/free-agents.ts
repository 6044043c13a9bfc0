import { sql } from 'kysely';
import { tellGroupStatuses } from '../groups/statuses.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';
import { takeTurn } from './take-turn.ts';

/** Whether an agent of this chat has no room for another. */
const isFull = async (tx: Transaction<OrganizationScope>, chatId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from chat_users mine
    join agents a on a.organization_id = mine.organization_id and a.id = mine.user_id
    where mine.organization_id = ${tx.organizationId} and mine.chat_id = ${chatId} and mine.kind = 'agent' and mine.present
      and a.max_chats_count <= (
        select count(*) from chat_users u
        join chats c on c.organization_id = u.organization_id and c.id = u.chat_id
        where u.organization_id = a.organization_id and u.user_id = a.id and u.kind = 'agent' and u.present and c.active
      )
    limit 1`.execute(tx.db);
  return rows.length > 0;
};

/** Does what takes the agents of a chat out of it. Groups that were full may have room afterwards. */
export const freeAgents = async (
  tx: Transaction<OrganizationScope>,
  chatId: string,
  leave: () => Promise<void>,
): Promise<void> => {
  await takeTurn(tx);
  await ((await isFull(tx, chatId)) ? tellGroupStatuses(tx, leave) : leave());
};
