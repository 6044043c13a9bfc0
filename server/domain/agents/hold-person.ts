import type { Selectable } from 'kysely';
import type { AgentsTable } from '#server/storage/tables/agents.ts';
import { notFound } from '../errors.ts';
import { takeTurn } from '../routing/take-turn.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';

/** Under the turn, so that nobody else changes it meanwhile. Bots are looked after elsewhere. */
export const holdPerson = async (
  tx: Transaction<OrganizationScope>,
  login: string,
): Promise<Selectable<AgentsTable>> => {
  await takeTurn(tx);
  const agent = await tx
    .from('agents')
    .where('id', '=', login.toLowerCase())
    .where('deletedAt', 'is', null)
    .where('kind', '=', 'person')
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!agent) throw notFound('Agent');
  return agent;
};
