import type { Static } from 'typebox';
import * as contract from '#contracts/agent/archives.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { searchArchives } from '#server/domain/support/archives/search-archives.ts';
import type { SearchFilters } from '#server/domain/support/archives/search-filters.ts';
import { filterFollowedChats } from '#server/domain/support/chats/participants/followers.ts';
import type { PropertyFilters, SetFilter } from '#server/domain/support/matching/set-filter.ts';
import { type Action, action } from '#server/http/route.ts';
import { readTimestamp } from '#server/surfaces/chat-v3/parse-event.ts';
import { presentNeighbours } from '#server/surfaces/chat-v3/present-chat.ts';
import { present } from './present.ts';

type WireFilters = NonNullable<Static<typeof contract.listArchives.body>['filters']>;

interface WireSet<T> {
  values?: T[] | null;
  exclude_values?: T[] | null;
  require_every_value?: boolean | null;
  exists?: boolean | null;
}

const readSet = <T extends string | number>(given: WireSet<T> | null | undefined): SetFilter<T> => ({
  values: given?.values ?? undefined,
  excludeValues: given?.exclude_values ?? undefined,
  requireEveryValue: given?.require_every_value ?? undefined,
  exists: given?.exists ?? undefined,
});

const lower = ({ values, excludeValues, ...rest }: SetFilter<string>): SetFilter<string> => ({
  ...rest,
  values: values?.map((login) => login.toLowerCase()),
  excludeValues: excludeValues?.map((login) => login.toLowerCase()),
});

const readPeriod = ({ from, to }: { from?: string | null; to?: string | null }) => ({
  from: from ? readTimestamp('filters.from', from).toISOString() : undefined,
  to: to ? readTimestamp('filters.to', to).toISOString() : undefined,
});

export const readProperties = (given: Static<typeof contract.PropertyFilters>): PropertyFilters =>
  Object.fromEntries(
    Object.entries(given).map(([namespace, names]) => [
      namespace,
      Object.fromEntries(
        Object.entries(names).map(([name, { values, exclude_values: excludeValues, exists }]) => [
          name,
          { values: values ?? undefined, excludeValues: excludeValues ?? undefined, exists: exists ?? undefined },
        ]),
      ),
    ]),
  );

const readSurvey = (survey: NonNullable<WireFilters['surveys']>[number]) => {
  const { values, ...answers } = readSet(survey);
  const named = [...(values ?? []), ...(survey.answer_id ? [survey.answer_id] : [])];
  return {
    type: survey.type === 'pre_chat' ? ('prechat' as const) : ('postchat' as const),
    answers: { ...answers, values: named },
    groups: readSet(survey.groups),
    ...readPeriod(survey),
  };
};

const readFilters = (given: WireFilters): SearchFilters => ({
  query: given.query?.trim() || undefined,
  ...readPeriod(given),
  threadIds: given.thread_ids?.length ? given.thread_ids : undefined,
  groupIds: given.group_ids?.length ? given.group_ids : undefined,
  properties: given.properties ? readProperties(given.properties) : undefined,
  agents: lower(readSet(given.agents)),
  tags: readSet(given.tags),
  goals: readSet(given.goals),
  sales: readSet(given.sales),
  eventTypes: readSet(given.event_types),
  surveys: given.surveys?.map(readSurvey),
  greetings: given.greetings
    ? { ...readSet(given.greetings), ...readPeriod(given.greetings), groups: readSet(given.greetings.groups) }
    : undefined,
  agentResponse: given.agent_response
    ? {
        exists: given.agent_response.exists ?? undefined,
        first: given.agent_response.first ?? false,
        agents: lower(readSet(given.agent_response.agents)),
        groups: readSet(given.agent_response.groups),
      }
    : undefined,
});

export const archiveActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.listArchives, async ({ body, scope }) => {
    const page = await searchArchives(scope, {
      pageId: body.page_id ?? undefined,
      limit: body.limit ?? undefined,
      order: body.sort_order ?? undefined,
      filters: readFilters(body.filters ?? {}),
      filtered: Object.values(body.filters ?? {}).some((value) => value != null),
    });
    const followed = await filterFollowedChats(
      scope,
      page.items.map(({ id }) => id),
    );
    return {
      chats: page.items.map((chat) => ({ ...present.chat(chat), is_followed: followed.has(chat.id) })),
      found_chats: page.total,
      ...presentNeighbours(page),
    };
  }),
];
