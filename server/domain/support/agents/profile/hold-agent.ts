import type { Selectable } from 'kysely';
import type { AgentsTable } from '#server/storage/tables/agents.ts';
import type { AgentKind } from '#server/storage/tables/routing.ts';
import { notFound } from '../../../errors.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';

/** Under the turn, so that nobody else changes it meanwhile. Without a kind, whether it is a person or a bot. */
export const holdAgent = async (
  tx: Transaction<OrganizationScope>,
  login: string,
  kind?: AgentKind,
): Promise<Selectable<AgentsTable>> => {
  await lockOrganization(tx);
  const living = tx.from('agents').where('id', '=', login.toLowerCase()).where('deletedAt', 'is', null);
  const agent = await (kind ? living.where('kind', '=', kind) : living).selectAll().forNoKeyUpdate().executeTakeFirst();
  if (!agent) throw notFound(kind === 'bot' ? 'Bot' : 'Agent');
  return agent;
};
