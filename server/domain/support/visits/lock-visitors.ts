import { sql } from 'kysely';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { normalizeIp } from '../customers/normalize-ip.ts';
import type { VisitorActivity } from './beacons.ts';
import type { VisitRow } from './current-visit.ts';

type Tx = Transaction<OrganizationScope>;

/** A customer row, locked until the end of the transaction. */
export interface LockedVisitor {
  id: string;
  secretHash: Buffer | null;
  sessionFields: SessionFields;
  visitsCount: number;
  groupId: number | null;
  bannedUntil: Date | null;
  addressBannedUntil: Date | null;
}

const COLUMNS = `c.id, c.cookie_secret_hash as "secretHash", c.session_fields as "sessionFields",
  c.visits_count as "visitsCount", c.group_id as "groupId", c.banned_until as "bannedUntil",
  (select max(b.until) from bans b where b.organization_id = $1 and b.ip = requested.ip) as "addressBannedUntil"`;

const LOCK = `
select ${COLUMNS}
from unnest($2::uuid[], $3::text[]) as requested(id, ip)
join customers c on c.organization_id = $1 and c.id = requested.id
order by c.id for no key update of c`;

const ADD = `
with requested as (select * from unnest($2::uuid[], $3::text[], $4::bytea[]) as requested(id, ip, secret_hash)),
added as (
  insert into customers (organization_id, id, cookie_secret_hash, created_at)
  select $1, requested.id, requested.secret_hash, $5 from requested order by requested.id
  on conflict do nothing returning *
)
select ${COLUMNS} from added c join requested on requested.id = c.id`;

const idsOf = (activities: VisitorActivity[]): string[] => activities.map(({ customerId }) => customerId);
const addressesOf = (activities: VisitorActivity[]): (string | null)[] =>
  activities.map(({ browser }) => (browser.ip && normalizeIp(browser.ip)) ?? null);

const lock = async (tx: Tx, activities: VisitorActivity[]): Promise<LockedVisitor[]> => {
  if (activities.length === 0) return [];
  const values = [tx.organizationId, idsOf(activities), addressesOf(activities)];
  return (await tx.executor.query<LockedVisitor>({ text: LOCK, values })).rows;
};

const add = async (tx: Tx, activities: VisitorActivity[]): Promise<LockedVisitor[]> => {
  if (activities.length === 0) return [];
  const secretHashes = activities.map(({ secretHash }) => secretHash);
  const values = [tx.organizationId, idsOf(activities), addressesOf(activities), secretHashes, tx.now()];
  return (await tx.executor.query<LockedVisitor>({ text: ADD, values })).rows;
};

/** Locks the customers of these activities and creates those that do not exist, with the id that the browser chose. */
export const lockVisitors = async (tx: Tx, activities: VisitorActivity[]): Promise<Map<string, LockedVisitor>> => {
  const existing = new Map<string, LockedVisitor>();
  const collect = (rows: LockedVisitor[]): VisitorActivity[] => {
    for (const row of rows) existing.set(row.id, row);
    return activities.filter(({ customerId }) => !existing.has(customerId));
  };
  const missing = collect(await lock(tx, activities));
  // Another process may have created a customer in the meantime.
  const createdElsewhere = collect(await add(tx, missing));
  collect(await lock(tx, createdElsewhere));
  return existing;
};

/** Returns the last visits by customer id. The customers are locked, so no other visit can start meanwhile. */
export const findLastVisits = async (
  scope: OrganizationScope,
  customerIds: string[],
): Promise<Map<string, { visit: VisitRow; sessionFields: SessionFields }>> => {
  if (customerIds.length === 0) return new Map();
  const rows = await scope
    .from('visits')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'visits.organizationId')
        .onRef('customers.id', '=', 'visits.customerId')
        .onRef('customers.visitsCount', '=', 'visits.number'),
    )
    .where('visits.customerId', '=', sql<string>`any(${customerIds}::uuid[])`)
    .selectAll('visits')
    .select('customers.sessionFields')
    .execute();
  return new Map(
    rows.map(({ organizationId: _, sessionFields, ...visit }) => [visit.customerId, { visit, sessionFields }]),
  );
};
