import { queryOptions } from '@tanstack/react-query';
import { getAgent } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';

export const agentQuery = (login: string) =>
  queryOptions({
    queryKey: [...keys.agents, login],
    queryFn: () => callRest(getAgent, { params: { login } }),
    staleTime: 60_000,
  });
