import type { Selectable } from 'kysely';
import type { AgentsTable } from '#server/storage/tables/agents.ts';
import type { AgentKind } from '#server/storage/tables/routing.ts';
import { notFound } from '../../../errors.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';

/** Takes the organization lock and locks the agent's row. Without `kind`, finds people and bots. */
export const lockAgent = async (
  tx: Transaction<OrganizationScope>,
  login: string,
  kind?: AgentKind,
): Promise<Selectable<AgentsTable>> => {
  await lockOrganization(tx);
  const active = tx.from('agents').where('id', '=', login.toLowerCase()).where('deletedAt', 'is', null);
  const agent = await (kind ? active.where('kind', '=', kind) : active).selectAll().forNoKeyUpdate().executeTakeFirst();
  if (!agent) throw notFound(kind === 'bot' ? 'Bot' : 'Agent');
  return agent;
};
