import type { Client } from 'pg';

export interface Seed {
  organizationId: string;
  /** Existing customers who get chats too. */
  customerIds: string[];
  chats: number;
}

const CHATS_PER_CUSTOMER = 10;
const EVENTS_PER_CHAT = 5;
/** The share of chats that belongs to the first customer. */
const FIRST_CUSTOMER_SHARE = 0.01;

/**
 * Seeds chats of several years directly into the tables. The first customer has far more chats than the others. Returns a chat
 * of each given customer.
 */
export const seedChats = async (
  client: Client,
  { organizationId, customerIds, chats }: Seed,
): Promise<Map<string, string>> => {
  const others = Math.max(0, Math.ceil(chats / CHATS_PER_CUSTOMER) - customerIds.length);
  await client.query(
    `insert into customers (organization_id, id, name, created_at)
     select $1, gen_random_uuid(), 'Customer ' || n, now() from generate_series(1, $2) n`,
    [organizationId, others],
  );
  await client.query(
    `create temporary table owners as
     select id, row_number() over () - 1 as n from (
       select c as id from unnest($2::uuid[]) c
       union all
       (select id from customers where organization_id = $1 and id <> all ($2) limit $3)
     ) all_customers`,
    [organizationId, customerIds, others],
  );
  await client.query(
    `create temporary table seeds as
     select 'S' || lpad(s.n::text, 9, '0') as id, now() - interval '1 minute' * s.n as at, o.id as customer_id
     from generate_series(1, $1::int) s (n)
     join owners o on o.n = case when s.n <= $1 * ${FIRST_CUSTOMER_SHARE} then 0 else s.n % (select count(*) from owners) end`,
    [chats],
  );
  const statements = [
    `insert into chats (organization_id, id, customer_id, group_ids, active, last_thread_id, last_thread_created_at,
       event_count, last_event_at, last_events, created_at)
     select $1, id, customer_id, '{0}', false, id, at, ${EVENTS_PER_CHAT}, at,
       jsonb_build_object('message', jsonb_build_array(id, ${EVENTS_PER_CHAT - 1}), 'system_message', jsonb_build_array(id, ${EVENTS_PER_CHAT})), at
     from seeds`,
    `insert into threads (organization_id, id, chat_id, active, group_ids, created_at, closed_at)
     select $1, id, id, false, '{0}', at, at from seeds`,
    `insert into chat_users (organization_id, chat_id, kind, user_id, present, seen_up_to, joined_at)
     select $1, id, 'customer', customer_id::text, false, at, at from seeds`,
    `insert into events (organization_id, thread_id, number, chat_id, type, author_kind, author_id, visibility, content, created_at)
     select $1, id, n, id, case when n = ${EVENTS_PER_CHAT} then 'system_message' else 'message' end,
       case when n = ${EVENTS_PER_CHAT} then 'system' else 'customer' end, case when n < ${EVENTS_PER_CHAT} then customer_id::text end,
       'all', case when n = ${EVENTS_PER_CHAT}
         then '{"system_message_type": "manual_archived_customer", "text": "The customer closed the chat"}'::jsonb
         else '{"text": "Hello, I would like to know when my order arrives, please."}'::jsonb end, at
     from seeds, generate_series(1, ${EVENTS_PER_CHAT}) n`,
  ];
  for (const statement of statements) await client.query(statement, [organizationId]);
  await client.query('vacuum (analyze) chats, threads, events, chat_users, customers');
  // Otherwise PostgreSQL would write the data to disk during the measurement.
  await client.query('checkpoint');
  const { rows } = await client.query<{ customer_id: string; id: string }>(
    'select distinct on (customer_id) customer_id, id from seeds where customer_id = any ($1)',
    [customerIds],
  );
  return new Map(rows.map(({ customer_id, id }) => [customer_id, id]));
};
