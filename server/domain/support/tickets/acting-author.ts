import { requireAgent } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { SYSTEM } from './append-event.ts';
import { loadAgentNames } from './load-tickets.ts';
import type { TicketAuthor } from './records.ts';

/** The actor as stored in the ticket. */
export const actingAuthor = async (scope: OrganizationScope): Promise<TicketAuthor> => {
  if (scope.actor.kind === 'system') return SYSTEM;
  const { id } = requireAgent(scope.actor);
  return { type: 'agent', id, name: (await loadAgentNames(scope, [id])).get(id) ?? id };
};
