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

const readSet = <T extends string | number>(input: WireSet<T> | null | undefined): SetFilter<T> => ({
  values: input?.values ?? undefined,
  excludeValues: input?.exclude_values ?? undefined,
  requireEveryValue: input?.require_every_value ?? undefined,
  exists: input?.exists ?? undefined,
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

export const readProperties = (input: Static<typeof contract.PropertyFilters>): PropertyFilters =>
  Object.fromEntries(
    Object.entries(input).map(([namespace, names]) => [
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

const readFilters = (input: WireFilters): SearchFilters => ({
  query: input.query?.trim() || undefined,
  ...readPeriod(input),
  threadIds: input.thread_ids?.length ? input.thread_ids : undefined,
  groupIds: input.group_ids?.length ? input.group_ids : undefined,
  properties: input.properties ? readProperties(input.properties) : undefined,
  agents: lower(readSet(input.agents)),
  tags: readSet(input.tags),
  goals: readSet(input.goals),
  sales: readSet(input.sales),
  eventTypes: readSet(input.event_types),
  surveys: input.surveys?.map(readSurvey),
  greetings: input.greetings
    ? { ...readSet(input.greetings), ...readPeriod(input.greetings), groups: readSet(input.greetings.groups) }
    : undefined,
  agentResponse: input.agent_response
    ? {
        exists: input.agent_response.exists ?? undefined,
        first: input.agent_response.first ?? false,
        agents: lower(readSet(input.agent_response.agents)),
        groups: readSet(input.agent_response.groups),
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
