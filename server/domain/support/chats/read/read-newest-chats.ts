import { loadBatched } from '../../../batch-loader.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { JOIN_PRESENCE, joinCustomer } from './read-sql.ts';
import type { CachedVersion } from './response-cache.ts';
import { CUSTOMER_VERSION, chatVersion, hasChanged, rowVersion } from './row-version-sql.ts';
import { SUMMARY, type SummaryRow } from './summary-rows.ts';

export interface NewestChats {
  version: string;
  total: number;
  rows: SummaryRow[];
}

type Row = (SummaryRow | { id: null }) & Pick<NewestChats, 'version' | 'total'> & { changed: boolean };

/** The API documents the total as an estimate, and counting more would cost more than the page itself. */
const MAX_COUNTED = 1_000;

const newestSql = (columns: string, condition = ''): string => `
  select ${columns} from chats c
  where c.organization_id = w.organization_id and c.customer_id = w.customer_id and not c.anonymized ${condition}
  order by c.last_thread_created_at desc, c.id desc limit w.max_rows`;

/** The version check is inside, before the limit, so that an unchanged list costs no more than its version. */
const NEWEST_OF_CUSTOMER = {
  name: 'list_chats_of_customer',
  text: `
select w.n, ${SUMMARY}, counted.total, versioned.version, ${hasChanged('versioned.version')} as changed
from json_to_recordset($1) as w(n int, organization_id uuid, sees_agent_events boolean, customer_id uuid, max_rows int, cached text)
cross join lateral (
  select count(*)::int as total from (
    select from chats o where o.organization_id = w.organization_id and o.customer_id = w.customer_id limit ${MAX_COUNTED}
  ) first_ones
) counted
${joinCustomer('w')}
cross join lateral (
  select ${rowVersion(CUSTOMER_VERSION, 'counted.total', `string_agg(one.version, ' ')`)} as version
  from (${newestSql(`${chatVersion('c')} as version`)}) one
) versioned
left join lateral (${newestSql('*', `and ${hasChanged('versioned.version')}`)}) c on true
${JOIN_PRESENCE}
order by w.n, c.last_thread_created_at desc, c.id desc`,
};

/** The query of every widget when it opens. Undefined when the cached version is current. */
export const readNewestChats = async (
  scope: OrganizationScope,
  customerId: string,
  maxRows: number,
  { cached }: CachedVersion,
): Promise<NewestChats | undefined> => {
  const key = { sees_agent_events: false, customer_id: customerId, max_rows: maxRows, cached };
  const rows = await loadBatched<Row>(scope, NEWEST_OF_CUSTOMER, key);
  const { version, total, changed } = rows[0]!;
  if (!changed) return undefined;
  const chats = rows.filter((row) => row.id !== null);
  return { version, total: chats.length === 0 ? 0 : total, rows: chats };
};
