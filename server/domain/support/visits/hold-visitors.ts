import { sql } from 'kysely';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { normalizeIp } from '../customers/address.ts';
import type { Sighting } from './beacons.ts';
import type { VisitRow } from './current-visit.ts';

type Tx = Transaction<OrganizationScope>;

/** Somebody as found, held until the end of the transaction. */
export interface KnownVisitor {
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
  (select max(b.until) from bans b where b.organization_id = $1 and b.ip = asked.ip) as "addressBannedUntil"`;

const HOLD = `
select ${COLUMNS}
from unnest($2::uuid[], $3::text[]) as asked(id, ip)
join customers c on c.organization_id = $1 and c.id = asked.id
order by c.id for no key update of c`;

const ADD = `
with asked as (select * from unnest($2::uuid[], $3::text[], $4::bytea[]) as asked(id, ip, secret_hash)),
added as (
  insert into customers (organization_id, id, cookie_secret_hash, created_at)
  select $1, asked.id, asked.secret_hash, $5 from asked order by asked.id
  on conflict do nothing returning *
)
select ${COLUMNS} from added c join asked on asked.id = c.id`;

const idsOf = (sightings: Sighting[]): string[] => sightings.map(({ customerId }) => customerId);
const addressesOf = (sightings: Sighting[]): (string | null)[] =>
  sightings.map(({ browser }) => (browser.ip && normalizeIp(browser.ip)) ?? null);

const hold = async (tx: Tx, sightings: Sighting[]): Promise<KnownVisitor[]> => {
  if (sightings.length === 0) return [];
  const values = [tx.organizationId, idsOf(sightings), addressesOf(sightings)];
  return (await tx.executor.query<KnownVisitor>({ text: HOLD, values })).rows;
};

const add = async (tx: Tx, sightings: Sighting[]): Promise<KnownVisitor[]> => {
  if (sightings.length === 0) return [];
  const secretHashes = sightings.map(({ secretHash }) => secretHash);
  const values = [tx.organizationId, idsOf(sightings), addressesOf(sightings), secretHashes, tx.now()];
  return (await tx.executor.query<KnownVisitor>({ text: ADD, values })).rows;
};

/** Whoever is new becomes a customer, by the id that the browser chose. */
export const holdVisitors = async (tx: Tx, sightings: Sighting[]): Promise<Map<string, KnownVisitor>> => {
  const known = new Map<string, KnownVisitor>();
  const learn = (rows: KnownVisitor[]): Sighting[] => {
    for (const row of rows) known.set(row.id, row);
    return sightings.filter(({ customerId }) => !known.has(customerId));
  };
  const fresh = learn(await hold(tx, sightings));
  // Of whoever came through two processes at once, the other one has made a customer meanwhile.
  const overtaken = learn(await add(tx, fresh));
  learn(await hold(tx, overtaken));
  return known;
};

/** Those who are held already: nobody begins another visit of theirs meanwhile. By the customer's id. */
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
