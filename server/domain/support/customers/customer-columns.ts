import { type RawBuilder, sql } from 'kysely';

/** Computed columns for each row of `customers`; all of them use an index on the customer's chats. */
export const chatsCount = sql<number>`(
  select count(*) from chats h where h.organization_id = customers.organization_id and h.customer_id = customers.id)`;

export const threadsCount = sql<number>`(
  select count(*) from chats h join threads t on t.organization_id = h.organization_id and t.chat_id = h.id
  where h.organization_id = customers.organization_id and h.customer_id = customers.id)`;

/** Reads each chat backwards up to the first matching event. */
const lastEventOf = (author: 'agent' | 'customer'): RawBuilder<Date | null> => sql<Date | null>`(
  select max(latest.at) from chats h cross join lateral (
    select e.created_at as at from threads t cross join lateral (
      select e.created_at from events e
      where e.organization_id = t.organization_id and e.thread_id = t.id and e.author_kind = ${sql.lit(author)}
      order by e.number desc limit 1
    ) e
    where t.organization_id = h.organization_id and t.chat_id = h.id
    order by t.created_at desc limit 1
  ) latest
  where h.organization_id = customers.organization_id and h.customer_id = customers.id)`;

export const agentLastEventAt = lastEventOf('agent');
export const customerLastEventAt = lastEventOf('customer');

/** Whether a chat of the customer belongs to one of these groups. */
export const chatsIn = (groupIds: readonly number[]): RawBuilder<boolean> => sql<boolean>`exists (
  select from chats h
  where h.organization_id = customers.organization_id and h.customer_id = customers.id and h.group_ids && ${groupIds}::int[])`;

export const hasChats = sql<boolean>`exists (
  select from chats h where h.organization_id = customers.organization_id and h.customer_id = customers.id)`;
