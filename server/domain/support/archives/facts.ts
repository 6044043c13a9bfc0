import { hash } from 'node:crypto';
import type { Place } from '#server/storage/tables/visits.ts';
import { foldText } from '../matching/texts.ts';

/** All that filters can ask about a thread. */
export interface ThreadFacts {
  customerId: string;
  /** The id that a program chose for the customer. */
  visitorId: string | null;
  agentIds: string[];
  groupIds: number[];
  tags: string[];
  goals: { id: number; trackerId: string | null; isSale: boolean }[];
  /** It waited in the queue before an agent took it. */
  queued: boolean;
  rating: { score?: unknown; comment?: unknown } | null;
  place: Place | null;
}

/** What somebody looks for; each is one fact, and a thread must have all of them. */
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

/** An entry of the index holds no more; nobody has as many tags. */
const MAX_FACTS = 300;

export const isMissed = ({ agentIds }: Pick<ThreadFacts, 'agentIds'>): boolean => agentIds.length === 0;

const ratesOf = (rating: ThreadFacts['rating']): string[] => {
  if (rating?.score === 1) return ['rated', 'rated_good'];
  return rating?.score === 0 ? ['rated', 'rated_bad'] : ['not_rated'];
};

const isCommented = (rating: ThreadFacts['rating']): boolean =>
  typeof rating?.comment === 'string' && rating.comment !== '';

const places = (place: Place | null): string[] =>
  (['city', 'region', 'country'] as const).flatMap((name) =>
    place?.[name] ? [`${name} ${foldText(place[name])}`] : [],
  );

const describeVisitor = ({ customerId, visitorId }: ThreadFacts): string[] =>
  [customerId, visitorId].flatMap((id) => (id === null ? [] : [`visitor ${id}`]));

const describe = (thread: ThreadFacts): string[] => {
  const sales = thread.goals.filter(({ isSale }) => isSale);
  return [
    ...thread.agentIds.map((id) => `agent ${id}`),
    ...thread.groupIds.map((id) => `group ${id}`),
    ...thread.goals.map(({ id }) => `goal ${id}`),
    `has_goal ${thread.goals.length > 0}`,
    ...sales.flatMap(({ id, trackerId }) => [`sale ${id}`, ...(trackerId === null ? [] : [`sale ${trackerId}`])]),
    `has_sale ${sales.length > 0}`,
    `queued ${thread.queued}`,
    ...ratesOf(thread.rating).map((rate) => `rate ${rate}`),
    `comment ${isCommented(thread.rating)}`,
    ...places(thread.place),
    `type ${isMissed(thread) ? 'missed_chat' : 'chat'}`,
    `tagged ${thread.tags.length > 0}`,
    ...thread.tags.map((tag) => `tag ${tag}`),
  ];
};

const wanted = (filters: FactFilters): string[] => {
  const asked: [kind: string, value: unknown][] = [
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
  return asked.flatMap(([kind, value]) => (value === undefined ? [] : [`${kind} ${value}`]));
};

/** A fact as a number of its own for each organization. As text, since not every program reads 64 bits. */
const toNumber =
  (organizationId: string) =>
  (fact: string): string =>
    hash('sha256', `${organizationId} ${fact}`, 'buffer').readBigInt64BE(0).toString();

/** The facts of a thread, in a fixed order; `indexed` are those that many threads have, which are in the bitmap index. */
export const factsOf = (organizationId: string, thread: ThreadFacts): { facts: string[]; indexed: string[] } => {
  const own = [...new Set(describeVisitor(thread))].map(toNumber(organizationId)).sort();
  const indexed = [...new Set(describe(thread))].slice(0, MAX_FACTS).map(toNumber(organizationId)).sort();
  return { facts: [...own, ...indexed], indexed };
};

export const wantedFacts = (organizationId: string, filters: FactFilters): string[] =>
  [...new Set(wanted(filters))].map(toNumber(organizationId));

export const groupFacts = (organizationId: string, groupIds: number[]): string[] =>
  groupIds.map((id) => `group ${id}`).map(toNumber(organizationId));
