import { useQueryClient } from '@tanstack/react-query';
import type { AgentSummary } from '#contracts/chat-ops/agents.ts';
import { agentsQuery } from '../../api/people.ts';
import { keys } from '../../api/queries.ts';
import { usePushes } from '../../realtime/live.ts';
import { ROUTING_STATUSES } from './words.ts';

/** Keeps agent statuses up to date; group statuses follow from those of their agents. */
export const useFollowStatuses = (): void => {
  const client = useQueryClient();
  usePushes((batch) => {
    const heard = new Map<string, AgentSummary['status']>();
    for (const { action, payload } of batch) {
      if (action === 'routing_status_set') heard.set(payload.agent_id, ROUTING_STATUSES[payload.status]);
    }
    if (heard.size === 0) return;
    client.setQueryData(agentsQuery.queryKey, (agents) =>
      agents?.map((agent) => ({ ...agent, status: heard.get(agent.login) ?? agent.status })),
    );
    void client.invalidateQueries({ queryKey: keys.groups });
  });
};
