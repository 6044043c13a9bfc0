import { requireAgent } from '../../../access.ts';
import { invalid } from '../../../errors.ts';
import { isUuid } from '../../../ids.ts';
import { announce, type OrganizationScope } from '../../../scope.ts';

export interface MulticastInput {
  agents: { all: boolean; ids: string[]; groupIds: number[] };
  customerIds: string[];
  kind: string;
  content: Record<string, unknown>;
}

/** Pushes content to the given users who are connected now. It is not stored, and unknown ids are ignored. */
export const multicast = (scope: OrganizationScope, input: MulticastInput): void => {
  const { kind: author, id } = requireAgent(scope.actor);
  const { organizationId } = scope;
  const { all, ids, groupIds } = input.agents;
  const isToAgents = all || ids.length > 0 || groupIds.length > 0;
  if (!isToAgents && input.customerIds.length === 0) throw invalid('recipients', 'must contain at least one recipient');
  const to = { all, agentIds: ids.map((login) => login.toLowerCase()), groupIds };
  const sent = { multicast: { author: { kind: author, id }, kind: input.kind, content: input.content } };
  if (isToAgents) announce(scope, { type: 'multicast_sent', organizationId, to, ...sent });
  for (const customerId of new Set(input.customerIds.filter(isUuid).map((one) => one.toLowerCase()))) {
    announce(scope, { type: 'multicast_sent', organizationId, to, customerId, ...sent });
  }
};
