import { requireAgent } from '../../../access.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { TicketAuthor } from '../records.ts';
import { SYSTEM } from './append-event.ts';
import { namesOfAgents } from './load-tickets.ts';

/** Whoever does it, as the ticket remembers it. */
export const actingAuthor = async (scope: OrganizationScope): Promise<TicketAuthor> => {
  if (scope.actor.kind === 'system') return SYSTEM;
  const { id } = requireAgent(scope.actor);
  return { type: 'agent', id, name: (await namesOfAgents(scope, [id])).get(id) ?? id };
};
