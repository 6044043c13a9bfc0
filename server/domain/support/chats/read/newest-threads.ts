import { readTogether } from '../../../read-lanes.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { Readable } from './find-chat.ts';
import type { KeptMark } from './kept-reads.ts';
import { chatMark, isNews, markOf, THREAD_MARK } from './mark-sql.ts';
import { seesNotes, THREAD, type ThreadJson } from './read-sql.ts';

/** A chat with a page of its threads. */
export interface ThreadsRow extends Readable {
  unassigned: boolean;
  total: number;
  threads: ThreadJson[];
}

type Row = (({ news: true } & ThreadsRow) | { news: false }) & { mark: string | null };

/** Of the chat `c`, whether it may be read. */
export const ACCESS =
  'c.id, c.customer_id as "customerId", c.group_ids as "groupIds", c.anonymized, c.assignee_id is null as unassigned';

const newest = (columns: string, chat: 'c' | 'found', condition = ''): string => `
  select ${columns} from threads t where t.organization_id = ${chat}.organization_id and t.chat_id = ${chat}.id ${condition}
  order by t.created_at desc, t.id desc limit w.most`;

const NEWEST_THREADS = {
  name: 'list_newest_threads',
  text: `
select w.n, marked.mark, ${isNews('marked.mark')} as news, ${ACCESS}, counted.total,
  (select coalesce(json_agg(one), '[]') from (${newest(THREAD, 'c')}) one) as threads
from json_to_recordset($1)
  as w(n int, organization_id uuid, sees_notes boolean, chat_id text, most int, keeps boolean, known text)
cross join lateral (
  select o.*, o.xmin from chats o where o.organization_id = w.organization_id and o.id = w.chat_id limit 1
) found
cross join lateral (
  select count(*)::int as total from threads t where t.organization_id = found.organization_id and t.chat_id = found.id
) counted
cross join lateral (
  select case when w.keeps then ${markOf(chatMark('found'), 'counted.total', `string_agg(one.mark, ' ')`)} end as mark
  from (${newest(`${THREAD_MARK} as mark`, 'found', 'and w.keeps')}) one
) marked
left join lateral (select found.* where ${isNews('marked.mark')} limit 1) c on true`,
};

/** What is asked when a chat is opened. */
export const readNewestThreads = async (
  scope: OrganizationScope,
  chatId: string,
  most: number,
  kept: KeptMark,
): Promise<Row | undefined> => {
  const question = { sees_notes: seesNotes(scope), chat_id: chatId, most, ...kept };
  return (await readTogether<Row>(scope, NEWEST_THREADS, question))[0];
};
