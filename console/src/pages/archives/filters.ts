import type { listChats } from '#contracts/chat-ops/chats.ts';
import type { QueryOf } from '#contracts/operation.ts';
import type { Filters } from '../../app/use-filters.ts';
import { dayOf, oneOf, splitValues } from '../../design/filter-values.ts';

export const ARCHIVE_FILTERS = [
  ...(['q', 'from', 'to', 'zone', 'agent', 'group', 'tags', 'tagged', 'rate', 'comment', 'goal', 'has_goal'] as const),
  ...(['sale', 'has_sale', 'queued', 'pending', 'type', 'visitor', 'city', 'region', 'country'] as const),
] as const;

export type ArchiveFilters = Filters<(typeof ARCHIVE_FILTERS)[number] | 'page'>;
export type ArchiveQuery = QueryOf<typeof listChats>;

/** Booleans are 1 and 0, in the URL and in the API. */
const flagOf = (text: string | undefined): 0 | 1 | undefined => (text === '1' ? 1 : text === '0' ? 0 : undefined);

const numberOf = (text: string | undefined): number | undefined => {
  const number = Number(text);
  return text !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
};

const RATES = ['rated', 'not_rated', 'rated_good', 'rated_bad'] as const;
const TYPES = ['chat', 'missed_chat'] as const;

/** Maps the URL to the API query; invalid values are ignored. */
export const toArchiveQuery = (filters: ArchiveFilters): ArchiveQuery => {
  const tags = splitValues(filters.tags);
  return {
    page: Math.max(1, numberOf(filters.page) ?? 1),
    query: filters.q,
    date_from: dayOf(filters.from),
    date_to: dayOf(filters.to),
    timezone: filters.zone,
    agent: filters.agent,
    group: numberOf(filters.group),
    tag: tags.length > 0 ? tags : undefined,
    tagged: flagOf(filters.tagged),
    rate: oneOf(filters.rate, RATES),
    comment: flagOf(filters.comment),
    goal: numberOf(filters.goal),
    has_goal: flagOf(filters.has_goal),
    sale: filters.sale,
    has_sale: flagOf(filters.has_sale),
    queued: flagOf(filters.queued),
    include_pending: flagOf(filters.pending),
    type: oneOf(filters.type, TYPES),
    visitor_id: filters.visitor,
    city: filters.city,
    region: filters.region,
    country: filters.country,
  };
};

export const countFilters = (filters: ArchiveFilters): number =>
  ARCHIVE_FILTERS.filter((name) => name !== 'q' && filters[name] !== undefined).length;
