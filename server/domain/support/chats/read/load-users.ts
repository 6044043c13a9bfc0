import type { OrganizationScope } from '../../../scope.ts';
import type { AgentUser, ChatUser, CustomerUser } from '../records.ts';

/** Turns `null` columns into absent fields. */
const omitNulls = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never;

const loadCustomers = async (scope: OrganizationScope, chatIds: string[]): Promise<[string, CustomerUser][]> => {
  const rows = await scope
    .from('chatUsers')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'chatUsers.organizationId')
        .on('chatUsers.kind', '=', 'customer')
        .on((eb) => eb('customers.id', '=', eb.cast<string>('chatUsers.userId', 'uuid'))),
    )
    .where('chatUsers.chatId', 'in', chatIds)
    .where('chatUsers.kind', '=', 'customer')
    .select(['chatId', 'present', 'seenUpTo', 'customers.id', 'name', 'email', 'avatar', 'sessionFields'])
    .execute();
  return rows.map(({ chatId, name, email, avatar, seenUpTo, ...row }) => [
    chatId,
    { kind: 'customer', ...row, ...omitNulls({ name, email, avatar, seenUpTo }) },
  ]);
};

const loadAgents = async (scope: OrganizationScope, chatIds: string[]): Promise<[string, AgentUser][]> => {
  const rows = await scope
    .from('chatUsers')
    .innerJoin('agents', (join) =>
      join.onRef('agents.organizationId', '=', 'chatUsers.organizationId').onRef('agents.id', '=', 'chatUsers.userId'),
    )
    .where('chatUsers.chatId', 'in', chatIds)
    .where('chatUsers.kind', '=', 'agent')
    .orderBy('joinedAt')
    .orderBy('userId')
    .select(['chatId', 'present', 'seenUpTo', 'visibility', 'agents.id', 'name', 'avatar', 'jobTitle'])
    .execute();
  return rows.map(({ chatId, seenUpTo, ...row }) => [chatId, { kind: 'agent', ...row, ...omitNulls({ seenUpTo }) }]);
};

/** Loads the users of each chat: the customer first, then the agents in the order they joined. */
export const loadUsers = async (scope: OrganizationScope, chatIds: string[]): Promise<Map<string, ChatUser[]>> => {
  const users = new Map<string, ChatUser[]>(chatIds.map((id) => [id, []]));
  if (chatIds.length === 0) return users;
  for (const [chatId, user] of [...(await loadCustomers(scope, chatIds)), ...(await loadAgents(scope, chatIds))]) {
    users.get(chatId)!.push(user);
  }
  return users;
};
