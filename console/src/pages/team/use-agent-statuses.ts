import type { AgentSummary } from '#contracts/chat-ops/agents.ts';
import { agentsQuery } from '../../api/people.ts';
import { keys, queryClient, refetch } from '../../api/queries.ts';
import { usePushes } from '../../realtime/live.ts';
import { ROUTING_STATUSES } from './labels.ts';

/** Keeps agent statuses up to date; group statuses follow from those of their agents. */
export const useAgentStatuses = (): void => {
  usePushes((batch) => {
    const changes = new Map<string, AgentSummary['status']>();
    for (const { action, payload } of batch) {
      if (action === 'routing_status_set') changes.set(payload.agent_id, ROUTING_STATUSES[payload.status]);
    }
    if (changes.size === 0) return;
    queryClient.setQueryData(agentsQuery.queryKey, (agents) =>
      agents?.map((agent) => ({ ...agent, status: changes.get(agent.login) ?? agent.status })),
    );
    void refetch(keys.groups);
  });
};
