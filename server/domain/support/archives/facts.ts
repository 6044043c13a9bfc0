import { hash } from 'node:crypto';
import type { Place } from '#server/storage/tables/visits.ts';
import { foldText } from '../matching/texts.ts';

/** Everything about a thread that filters can match. */
export interface ThreadFacts {
  customerId: string;
  /** The customer's id in the integrator's system. */
  visitorId: string | null;
  agentIds: string[];
  groupIds: number[];
  tags: string[];
  goals: { id: number; trackerId: string | null; isSale: boolean }[];
  /** Whether it waited in the queue before it was assigned. */
  queued: boolean;
  rating: { score?: unknown; comment?: unknown } | null;
  place: Place | null;
}

/** Each filter corresponds to one fact. A thread must have all of them. */
export interface FactFilters {
  visitorId?: string | undefined;
  agentLogin?: string | undefined;
  groupId?: number | undefined;
  goalId?: number | undefined;
  hasGoal?: boolean | undefined;
  trackerId?: string | undefined;
  hasSale?: boolean | undefined;
  queued?: boolean | undefined;
  rate?: 'rated' | 'not_rated' | 'rated_good' | 'rated_bad' | undefined;
  tags?: string[] | undefined;
  tagged?: boolean | undefined;
  commented?: boolean | undefined;
  city?: string | undefined;
  region?: string | undefined;
  country?: string | undefined;
  type?: 'chat' | 'missed_chat' | undefined;
}

/** Limits the size of an index entry. Real threads have far fewer tags. */
const MAX_FACTS = 300;

export const isMissed = ({ agentIds }: Pick<ThreadFacts, 'agentIds'>): boolean => agentIds.length === 0;

const describeRating = (rating: ThreadFacts['rating']): string[] => {
  if (rating?.score === 1) return ['rated', 'rated_good'];
  return rating?.score === 0 ? ['rated', 'rated_bad'] : ['not_rated'];
};

const isCommented = (rating: ThreadFacts['rating']): boolean =>
  typeof rating?.comment === 'string' && rating.comment !== '';

const describePlace = (place: Place | null): string[] =>
  (['city', 'region', 'country'] as const).flatMap((name) =>
    place?.[name] ? [`${name} ${foldText(place[name])}`] : [],
  );

const describeVisitor = ({ customerId, visitorId }: ThreadFacts): string[] =>
  [customerId, visitorId].flatMap((id) => (id === null ? [] : [`visitor ${id}`]));

const describeThread = (thread: ThreadFacts): string[] => {
  const sales = thread.goals.filter(({ isSale }) => isSale);
  return [
    ...thread.agentIds.map((id) => `agent ${id}`),
    ...thread.groupIds.map((id) => `group ${id}`),
    ...thread.goals.map(({ id }) => `goal ${id}`),
    `has_goal ${thread.goals.length > 0}`,
    ...sales.flatMap(({ id, trackerId }) => [`sale ${id}`, ...(trackerId === null ? [] : [`sale ${trackerId}`])]),
    `has_sale ${sales.length > 0}`,
    `queued ${thread.queued}`,
    ...describeRating(thread.rating).map((rate) => `rate ${rate}`),
    `comment ${isCommented(thread.rating)}`,
    ...describePlace(thread.place),
    `type ${isMissed(thread) ? 'missed_chat' : 'chat'}`,
    `tagged ${thread.tags.length > 0}`,
    ...thread.tags.map((tag) => `tag ${tag}`),
  ];
};

const describeFilters = (filters: FactFilters): string[] => {
  const facts: [kind: string, value: unknown][] = [
    ['visitor', filters.visitorId],
    ['agent', filters.agentLogin?.toLowerCase()],
    ['group', filters.groupId],
    ['goal', filters.goalId],
    ['has_goal', filters.hasGoal],
    ['sale', filters.trackerId],
    ['has_sale', filters.hasSale],
    ['queued', filters.queued],
    ['rate', filters.rate],
    ['comment', filters.commented],
    ['city', filters.city && foldText(filters.city)],
    ['region', filters.region && foldText(filters.region)],
    ['country', filters.country && foldText(filters.country)],
    ['type', filters.type],
    ['tagged', filters.tagged],
    ...(filters.tags ?? []).map((tag): [string, string] => ['tag', tag]),
  ];
  return facts.flatMap(([kind, value]) => (value === undefined ? [] : [`${kind} ${value}`]));
};

/**
 * Hashes a fact to a 64-bit number that differs between organizations. It is a string because it exceeds the safe
 * integer range.
 */
const hashFact =
  (organizationId: string) =>
  (fact: string): string =>
    hash('sha256', `${organizationId} ${fact}`, 'buffer').readBigInt64BE(0).toString();

/**
 * Returns the facts of a thread in a fixed order. `indexed` are those in the bitmap index: all except the visitor, whom
 * few threads share.
 */
export const getThreadFacts = (organizationId: string, thread: ThreadFacts): { facts: string[]; indexed: string[] } => {
  const visitor = [...new Set(describeVisitor(thread))].map(hashFact(organizationId)).sort();
  const indexed = [...new Set(describeThread(thread))].slice(0, MAX_FACTS).map(hashFact(organizationId)).sort();
  return { facts: [...visitor, ...indexed], indexed };
};

export const getFilterFacts = (organizationId: string, filters: FactFilters): string[] =>
  [...new Set(describeFilters(filters))].map(hashFact(organizationId));

export const getGroupFacts = (organizationId: string, groupIds: number[]): string[] =>
  groupIds.map((id) => `group ${id}`).map(hashFact(organizationId));
