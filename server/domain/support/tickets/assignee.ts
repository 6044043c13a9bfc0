import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';

/** Finds an agent by login, ignoring case. */
export const findAssignee = async (tx: OrganizationScope, login: string): Promise<{ id: string; name: string }> => {
  const agent = await tx
    .from('agents')
    .where('id', '=', login.toLowerCase())
    .where('deletedAt', 'is', null)
    .select(['id', 'name'])
    .executeTakeFirst();
  if (!agent) throw invalid('assignee', 'must be the login of an agent of this account');
  return agent;
};
