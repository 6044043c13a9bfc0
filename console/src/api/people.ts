import { queryOptions, useQuery } from '@tanstack/react-query';
import { listAgents } from '#contracts/chat-ops/agents.ts';
import { listCannedResponses } from '#contracts/chat-ops/canned-responses.ts';
import { listGroups } from '#contracts/chat-ops/groups.ts';
import { listTags } from '#contracts/chat-ops/tags.ts';
import { t } from '../i18n/t.ts';
import { callRest } from './call.ts';
import { keys } from './queries.ts';

const MINUTE_MS = 60_000;

export const agentsQuery = queryOptions({
  queryKey: keys.agents,
  queryFn: () => callRest(listAgents, {}),
  staleTime: MINUTE_MS,
});

export const groupsQuery = queryOptions({
  queryKey: keys.groups,
  queryFn: () => callRest(listGroups, {}),
  staleTime: MINUTE_MS,
});

export const tagsQuery = queryOptions({
  queryKey: keys.tags,
  queryFn: () => callRest(listTags, {}),
  staleTime: MINUTE_MS,
});

export const cannedResponsesQuery = (group: number) =>
  queryOptions({
    queryKey: keys.cannedResponses(group),
    queryFn: () => callRest(listCannedResponses, { query: { group } }),
    staleTime: MINUTE_MS,
  });

/** Returns the name for a login, or the login itself. */
export const useAgentName = (): ((login: string) => string) => {
  const { data } = useQuery(agentsQuery);
  const names = new Map(data?.map(({ login, name }) => [login, name]));
  return (login) => names.get(login) ?? login;
};

export const useGroupName = (): ((id: number) => string) => {
  const { data } = useQuery(groupsQuery);
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? t('groupId', { id });
};
