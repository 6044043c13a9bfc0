import { sql } from 'kysely';
import { isUuid } from '../ids.ts';
import { nextDay, startOfDay } from '../time-zones.ts';
import type { ThreadQuery } from './visible-threads.ts';

export interface ArchiveFilters {
  /** Days as `YYYY-MM-DD`, both included. */
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  customerId?: string | undefined;
  agentLogin?: string | undefined;
  groupId?: number | undefined;
  rate?: 'rated' | 'not_rated' | 'rated_good' | 'rated_bad' | undefined;
  includePending?: boolean | undefined;
  tags?: string[] | undefined;
  tagged?: boolean | undefined;
  commented?: boolean | undefined;
  text?: string | undefined;
  /** Asks for something that is not recorded, so that no chat has it. */
  unrecorded?: boolean | undefined;
}

const score = sql<string | null>`threads.properties -> 'rating' ->> 'score'`;
const comment = sql<string>`coalesce(threads.properties -> 'rating' ->> 'comment', '')`;

const inDays = (query: ThreadQuery, { dateFrom, dateTo }: ArchiveFilters, timeZone: string): ThreadQuery => {
  const from = dateFrom ? query.where('threads.createdAt', '>=', startOfDay(timeZone, dateFrom)) : query;
  return dateTo ? from.where('threads.createdAt', '<', startOfDay(timeZone, nextDay(dateTo))) : from;
};

const withRate = (query: ThreadQuery, rate: NonNullable<ArchiveFilters['rate']>): ThreadQuery => {
  switch (rate) {
    case 'rated_good':
      return query.where(score, '=', '1');
    case 'rated_bad':
      return query.where(score, '=', '0');
    case 'rated':
      return query.where(score, 'in', ['0', '1']);
    case 'not_rated':
      return query.where(sql<boolean>`coalesce(${score}, '') not in ('0', '1')`);
  }
};

const withAgent = (query: ThreadQuery, login: string): ThreadQuery =>
  query.where((eb) =>
    eb.exists(
      eb
        .selectFrom('threadAgents')
        .whereRef('threadAgents.organizationId', '=', 'threads.organizationId')
        .whereRef('threadAgents.threadId', '=', 'threads.id')
        .where('threadAgents.agentId', '=', login.toLowerCase())
        .select('threadAgents.agentId'),
    ),
  );

/** Found anywhere in a message, or in the customer's name or e-mail; `%` and `_` mean themselves. */
const withText = (query: ThreadQuery, text: string): ThreadQuery => {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return query.where((eb) =>
    eb.or([
      eb('customers.name', 'ilike', pattern),
      eb('customers.email', 'ilike', pattern),
      eb.exists(
        eb
          .selectFrom('events')
          .whereRef('events.organizationId', '=', 'threads.organizationId')
          .whereRef('events.threadId', '=', 'threads.id')
          .where('events.type', '=', 'message')
          .where('events.visibility', '=', 'all')
          .where(sql<string>`events.content ->> 'text'`, 'ilike', pattern)
          .select('events.number'),
      ),
    ]),
  );
};

const withCustomer = (query: ThreadQuery, id: string): ThreadQuery =>
  isUuid(id) ? query.where('chats.customerId', '=', id) : query.where(sql<boolean>`false`);

export const filterThreads = (threads: ThreadQuery, filters: ArchiveFilters, timeZone: string): ThreadQuery => {
  let query = inDays(threads, filters, timeZone);
  if (!filters.includePending) query = query.where('threads.active', '=', false);
  if (filters.unrecorded) query = query.where(sql<boolean>`false`);
  if (filters.customerId !== undefined) query = withCustomer(query, filters.customerId);
  if (filters.agentLogin !== undefined) query = withAgent(query, filters.agentLogin);
  if (filters.groupId !== undefined) query = query.where(sql<boolean>`${filters.groupId} = any (threads.group_ids)`);
  if (filters.rate !== undefined) query = withRate(query, filters.rate);
  if (filters.tags !== undefined) query = query.where(sql<boolean>`threads.tags @> ${filters.tags}::text[]`);
  if (filters.tagged !== undefined) query = query.where(sql<boolean>`(threads.tags <> '{}') = ${filters.tagged}`);
  if (filters.commented !== undefined) query = query.where(comment, filters.commented ? '<>' : '=', '');
  if (filters.text !== undefined) query = withText(query, filters.text);
  return query;
};
