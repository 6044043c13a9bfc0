import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { Place } from '#server/storage/tables/visits.ts';
import { notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { toEvent } from '../chats/read/read-rows.ts';
import type { EventRecord } from '../chats/records.ts';
import { findLastVisit } from '../visits/current-visit.ts';

/** A thread at the time of an event. */
export interface WebhookChat {
  id: string;
  startedAt: Date;
  endedAt?: Date;
  startUrl?: string;
  agents: { login: string; name: string }[];
  tags: string[];
  groupIds: number[];
  /** Only events that the customer can see. */
  events: EventRecord[];
}

export const loadWebhookChat = async (
  scope: OrganizationScope,
  threadId: string,
  until: Date,
): Promise<WebhookChat> => {
  const thread = await scope
    .from('threads')
    .where('id', '=', threadId)
    .select(['id', 'createdAt', 'closedAt', 'tags', 'groupIds', 'properties'])
    .executeTakeFirst();
  if (!thread) throw notFound('Chat');
  const agents = await scope
    .from('threadAgents')
    .innerJoin('agents', (join) =>
      join
        .onRef('agents.organizationId', '=', 'threadAgents.organizationId')
        .onRef('agents.id', '=', 'threadAgents.agentId'),
    )
    .where('threadAgents.threadId', '=', threadId)
    .orderBy('agents.id')
    .select(['agents.id as login', 'agents.name'])
    .execute();
  const events = await scope
    .from('events')
    .where('threadId', '=', threadId)
    .where('visibility', '=', 'all')
    .where('createdAt', '<=', until)
    .orderBy('number')
    .selectAll()
    .execute();
  const { id, createdAt: startedAt, closedAt, tags, groupIds, properties } = thread;
  const startUrl = properties.routing?.start_url;
  return {
    ...{ id, startedAt, tags, groupIds, agents },
    ...(closedAt && closedAt <= until ? { endedAt: closedAt } : {}),
    ...(typeof startUrl === 'string' ? { startUrl } : {}),
    events: events.map(toEvent),
  };
};

export interface WebhookVisitor {
  /** The id that the integration chose, or else the customer's id. */
  id: string;
  name?: string;
  email?: string;
  place: Place;
  language?: string;
  timezone?: string;
  page?: string;
  customVariables: SessionFields;
}

export const loadWebhookVisitor = async (scope: OrganizationScope, customerId: string): Promise<WebhookVisitor> => {
  const customer = await scope
    .from('customers')
    .where('id', '=', customerId)
    .select(['visitorId', 'name', 'email', 'sessionFields'])
    .executeTakeFirst();
  if (!customer) throw notFound('Customer');
  const visit = await findLastVisit(scope, customerId);
  const page = visit
    ? await scope
        .from('visitPages')
        .where('visitId', '=', visit.id)
        .orderBy('number', 'desc')
        .limit(1)
        .select('url')
        .executeTakeFirst()
    : undefined;
  const timezone = visit?.timezone ?? visit?.place?.timezone;
  return {
    id: customer.visitorId ?? customerId,
    ...(customer.name === null ? {} : { name: customer.name }),
    ...(customer.email === null ? {} : { email: customer.email }),
    place: visit?.place ?? {},
    ...(visit?.language ? { language: visit.language } : {}),
    ...(timezone ? { timezone } : {}),
    ...(page ? { page: page.url } : {}),
    customVariables: customer.sessionFields,
  };
};

/** Names of groups, including deleted ones. */
export const readGroupNames = async (
  scope: OrganizationScope,
  ids: number[],
): Promise<{ id: number; name: string }[]> =>
  ids.length === 0 ? [] : scope.from('groups').where('id', 'in', ids).orderBy('id').select(['id', 'name']).execute();

export const readLicense = async ({ db, organizationId }: OrganizationScope): Promise<number> =>
  (
    await db
      .selectFrom('organizations')
      .where('id', '=', organizationId)
      .select('licenseNumber')
      .executeTakeFirstOrThrow()
  ).licenseNumber;
