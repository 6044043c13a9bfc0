import type { Properties } from '#server/storage/tables/chats.ts';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { Sale } from '#server/storage/tables/goals.ts';
import type { Place } from '#server/storage/tables/visits.ts';
import type { OrganizationScope } from '../../scope.ts';
import { toEvent } from '../chats/read/read-rows.ts';
import type { EventRecord } from '../chats/records.ts';
import { FIRST_WAIT, VISIT_OF_THREAD } from './read-facts.ts';
import type { ArchivedAgent, ArchivedChat, Engagement, ReachedGoal } from './records.ts';

interface Row {
  id: string;
  chatId: string;
  active: boolean;
  groupIds: number[];
  tags: string[];
  properties: Properties;
  createdAt: Date;
  closedAt: Date | null;
  customerId: string;
  visitorId: string | null;
  name: string | null;
  sessionFields: SessionFields;
  ip: string | null;
  userAgent: string | null;
  timezone: string | null;
  place: Place | null;
  referrer: string | null;
  pageUrl: string | null;
  queueSeconds: number | null;
  startedByAgent: boolean;
  agentIds: string[];
  /** Agents who joined during the thread and were invisible to the customer. */
  unseenIds: string[];
  goals: { id: number; name: string; type: string; reachedAt: string; sale: Sale | null }[];
}

const THREADS = `
select t.id, t.chat_id as "chatId", t.active, t.group_ids as "groupIds", t.tags, t.properties, t.created_at as "createdAt",
  t.closed_at as "closedAt", c.customer_id as "customerId", k.visitor_id as "visitorId", k.name,
  coalesce(t.session_fields, k.session_fields) as "sessionFields",
  v.ip, coalesce(v.user_agent, k.user_agent) as "userAgent", v.timezone, v.place, v.referrer,
  (select p.url from visit_pages p
   where p.organization_id = $1 and p.visit_id = v.id and p.opened_at <= t.created_at order by p.number desc limit 1) as "pageUrl",
  (${FIRST_WAIT}) as "queueSeconds",
  exists (
    select from assignments s
    where s.organization_id = $1 and s.chat_id = t.chat_id and s.thread_id = t.id and s.rule = 'started') as "startedByAgent",
  array(select w.agent_id from thread_agents w where w.organization_id = $1 and w.thread_id = t.id) as "agentIds",
  array(
    select u.user_id from chat_users u
    where u.organization_id = $1 and u.chat_id = t.chat_id and u.kind = 'agent' and u.visibility = 'agents'
      and u.joined_at >= t.created_at and u.joined_at <= coalesce(t.closed_at, u.joined_at)) as "unseenIds",
  coalesce((
    select json_agg(json_build_object('id', h.goal_id, 'name', o.name, 'type', o.type, 'reachedAt', h.reached_at, 'sale', h.sale)
      order by h.reached_at, h.goal_id)
    from goal_hits h join goals o on o.organization_id = $1 and o.id = h.goal_id
    where h.organization_id = $1 and h.thread_id = t.id), '[]') as goals
from threads t
join chats c on c.organization_id = $1 and c.id = t.chat_id and not c.anonymized
join customers k on k.organization_id = $1 and k.id = c.customer_id
left join lateral (${VISIT_OF_THREAD}) v on true
where t.organization_id = $1 and t.id = any ($2)
order by t.created_at desc, t.id desc`;

const loadEvents = async (scope: OrganizationScope, threadIds: string[]): Promise<Map<string, EventRecord[]>> => {
  const rows = await scope
    .from('events')
    .where('threadId', 'in', threadIds)
    .orderBy('threadId')
    .orderBy('number')
    .selectAll()
    .execute();
  return Map.groupBy(rows.map(toEvent), ({ threadId }) => threadId);
};

/** Agents invisible to the customer: silent supervisors, and agents who only wrote notes. */
const supervisorIds = ({ agentIds, unseenIds }: Row, events: EventRecord[]): string[] => {
  const writers = events.flatMap(({ author, visibility }) =>
    author.kind === 'agent' && visibility === 'agents' ? [author.id] : [],
  );
  return [...new Set([...unseenIds, ...writers])].filter((id) => !agentIds.includes(id));
};

/** Includes deleted agents. */
const loadNames = async (scope: OrganizationScope, ids: string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await scope
    .from('agents')
    .where('id', 'in', [...new Set(ids)])
    .select(['id', 'name'])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

const namedAgents = (ids: string[], names: Map<string, string>): ArchivedAgent[] =>
  ids.toSorted().map((login) => ({ login, name: names.get(login) ?? login }));

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const ratingOf = ({ properties }: Row): 'good' | 'bad' | undefined => {
  const score = properties.rating?.score;
  return score === 1 ? 'good' : score === 0 ? 'bad' : undefined;
};

const engagementOf = ({ properties, startedByAgent }: Row): Engagement => {
  if (properties.lc2?.greeting_unique_id !== undefined) return 'auto_invite';
  return startedByAgent ? 'manual_invite' : 'immediate_start';
};

const visitorOf = ({ visitorId, customerId, name, ip, userAgent, timezone, place }: Row): ArchivedChat['visitor'] => {
  const zone = timezone ?? place?.timezone;
  return {
    id: visitorId ?? customerId,
    ...(name ? { name } : {}),
    ...(ip ? { ip } : {}),
    ...(userAgent ? { userAgent } : {}),
    ...(zone ? { timezone: zone } : {}),
    ...(place ? { place } : {}),
  };
};

const startOf = ({ properties, pageUrl, referrer }: Row): Pick<ArchivedChat, 'startUrl' | 'referrer'> => {
  const startUrl = textOf(properties.routing?.start_url) ?? pageUrl;
  const from = textOf(properties.routing?.referrer) ?? referrer;
  return { ...(startUrl ? { startUrl } : {}), ...(from ? { referrer: from } : {}) };
};

const timesOf = (row: Row, now: Date): Pick<ArchivedChat, 'startedAt' | 'endedAt' | 'durationSeconds'> => {
  const endedAt = row.active ? undefined : (row.closedAt ?? undefined);
  const milliseconds = (endedAt ?? now).getTime() - row.createdAt.getTime();
  return {
    startedAt: row.createdAt,
    ...(endedAt ? { endedAt } : {}),
    durationSeconds: Math.max(0, Math.floor(milliseconds / 1000)),
  };
};

const toGoal = ({ reachedAt, sale, ...goal }: Row['goals'][number]): ReachedGoal => ({
  ...goal,
  reachedAt: new Date(reachedAt),
  ...(sale ? { sale } : {}),
});

const toChat = (row: Row, events: EventRecord[], names: Map<string, string>, now: Date): ArchivedChat => {
  const rating = ratingOf(row);
  return {
    id: row.id,
    chatId: row.chatId,
    missed: !row.active && row.agentIds.length === 0,
    visitor: visitorOf(row),
    agents: namedAgents(row.agentIds, names),
    supervisors: namedAgents(supervisorIds(row, events), names),
    groupIds: row.groupIds,
    tags: row.tags,
    ...(rating ? { rating } : {}),
    ...startOf(row),
    ...timesOf(row, now),
    ...(row.queueSeconds === null ? {} : { queueSeconds: row.queueSeconds }),
    engagement: engagementOf(row),
    customVariables: row.sessionFields.flatMap((field) =>
      Object.entries(field).map(([key, value]) => ({ key, value })),
    ),
    goals: row.goals.map(toGoal),
    events,
  };
};

/** Loads these threads, newest first, with three queries. The caller has checked access. */
export const loadArchivedChats = async (scope: OrganizationScope, ids: string[]): Promise<ArchivedChat[]> => {
  if (ids.length === 0) return [];
  const [{ rows }, events] = await Promise.all([
    scope.executor.query<Row>({ name: 'load_archived_chats', text: THREADS, values: [scope.organizationId, ids] }),
    loadEvents(scope, ids),
  ]);
  const eventsOf = ({ id }: Row): EventRecord[] => events.get(id) ?? [];
  const names = await loadNames(
    scope,
    rows.flatMap((row) => [...row.agentIds, ...supervisorIds(row, eventsOf(row))]),
  );
  return rows.map((row) => toChat(row, eventsOf(row), names, scope.now()));
};
