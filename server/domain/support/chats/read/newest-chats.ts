import { readTogether } from '../../../read-lanes.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { KeptMark } from './kept-reads.ts';
import { CUSTOMER_MARK, chatMark, isNews, markOf } from './mark-sql.ts';
import { JOIN_PRESENCE, joinCustomer } from './read-sql.ts';
import { SUMMARY, type SummaryRow } from './summary-rows.ts';

export interface NewestChats {
  mark: string;
  total: number;
  rows: SummaryRow[];
}

type Row = (SummaryRow | { id: null }) & Pick<NewestChats, 'mark' | 'total'> & { news: boolean };

/** The total is an estimate by the document; nobody leafs through more, and counting them would cost more than the page. */
const MAX_COUNTED = 1_000;

const newest = (columns: string, condition = ''): string => `
  select ${columns} from chats c
  where c.organization_id = w.organization_id and c.customer_id = w.customer_id and not c.anonymized ${condition}
  order by c.last_thread_created_at desc, c.id desc limit w.most`;

/** The condition stands inside, before the limit: so whatever is known costs no more than its mark. */
const NEWEST_OF_CUSTOMER = {
  name: 'list_chats_of_customer',
  text: `
select w.n, ${SUMMARY}, counted.total, marked.mark, ${isNews('marked.mark')} as news
from json_to_recordset($1) as w(n int, organization_id uuid, sees_notes boolean, customer_id uuid, most int, known text)
cross join lateral (
  select count(*)::int as total from (
    select from chats o where o.organization_id = w.organization_id and o.customer_id = w.customer_id limit ${MAX_COUNTED}
  ) first_ones
) counted
${joinCustomer('w')}
cross join lateral (
  select ${markOf(CUSTOMER_MARK, 'counted.total', `string_agg(one.mark, ' ')`)} as mark
  from (${newest(`${chatMark('c')} as mark`)}) one
) marked
left join lateral (${newest('*', `and ${isNews('marked.mark')}`)}) c on true
${JOIN_PRESENCE}
order by w.n, c.last_thread_created_at desc, c.id desc`,
};

/** What every widget asks when it opens; nothing when the customer's newest chats are those that are known by the mark. */
export const readNewestChats = async (
  scope: OrganizationScope,
  customerId: string,
  most: number,
  { known }: KeptMark,
): Promise<NewestChats | undefined> => {
  const question = { sees_notes: false, customer_id: customerId, most, known };
  const rows = await readTogether<Row>(scope, NEWEST_OF_CUSTOMER, question);
  const { mark, total, news } = rows[0]!;
  if (!news) return undefined;
  const chats = rows.filter((row) => row.id !== null);
  return { mark, total: chats.length === 0 ? 0 : total, rows: chats };
};
