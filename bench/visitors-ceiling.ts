import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';

const PER_BATCH = 100;

/** The ceiling: only inserts the same rows, without queries or notifications, on one connection. */
const INSERT = `
with visitor as (
  select id, gen_random_uuid() as visit_id, secret_hash from unnest($2::uuid[], $3::bytea[]) as v(id, secret_hash)
), arrived as (
  insert into customers (organization_id, id, cookie_secret_hash, created_at, visits_count, page_views_count)
  select $1, id, secret_hash, now(), 1, 1 from visitor
), visited as (
  insert into visits (organization_id, id, customer_id, number, group_id, started_at, last_seen_at, tracked_until, user_agent,
    page_count, ip, language, timezone)
  select $1, visit_id, id, 1, 0, now(), now(), now(), $4, 1, '127.0.0.1', 'en', 'Europe/Warsaw' from visitor
)
insert into visit_pages (organization_id, visit_id, number, url, title, opened_at)
select $1, visit_id, 1, 'https://shop.example/shoes/' || visit_id, 'A page of the shop', now() from visitor`;

/** Returns how many new visitors per second PostgreSQL can store in batches of a hundred. */
export const measureInserts = async (client: pg.Client, organizationId: string, ms: number): Promise<number> => {
  const end = performance.now() + ms;
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';
  let arrived = 0;
  for (; performance.now() < end; arrived += PER_BATCH) {
    const ids = Array.from({ length: PER_BATCH }, () => randomUUID());
    const values = [organizationId, ids, ids.map(() => randomBytes(32)), userAgent];
    await client.query({ name: 'insert_visitors', text: INSERT, values });
  }
  return arrived / (ms / 1000);
};
