import type { Selectable } from 'kysely';
import type { AssignmentsTable } from '#server/storage/tables/routing.ts';
import { requireAgent } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { getChatRow } from '../chats/read/find-chat.ts';

export type Assignment = Selectable<AssignmentsTable>;

/** Lists who was assigned to a chat, in order, with the candidates of each decision. */
export const listAssignments = async (
  scope: OrganizationScope,
  { chatId, threadId }: { chatId: string; threadId?: string | undefined },
): Promise<Assignment[]> => {
  if (scope.actor.kind !== 'system') requireAgent(scope.actor);
  await getChatRow(scope, chatId);
  const found = scope.from('assignments').where('chatId', '=', chatId);
  return (threadId === undefined ? found : found.where('threadId', '=', threadId)).orderBy('id').selectAll().execute();
};
