import { loadBatched } from '../../../batch-loader.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { Readable } from './find-chat.ts';
import { canSeeAgentEvents, THREAD, type ThreadJson } from './read-sql.ts';
import type { CachedVersion } from './response-cache.ts';
import { chatVersion, hasChanged, rowVersion, THREAD_VERSION } from './row-version-sql.ts';

export interface ThreadsRow extends Readable {
  unassigned: boolean;
  total: number;
  threads: ThreadJson[];
}

type Row = (({ changed: true } & ThreadsRow) | { changed: false }) & { version: string | null };

/** Columns of chat `c` that access checks need. */
export const ACCESS =
  'c.id, c.customer_id as "customerId", c.group_ids as "groupIds", c.anonymized, c.assignee_id is null as unassigned';

const newestSql = (columns: string, chat: 'c' | 'found', condition = ''): string => `
  select ${columns} from threads t where t.organization_id = ${chat}.organization_id and t.chat_id = ${chat}.id ${condition}
  order by t.created_at desc, t.id desc limit w.max_rows`;

const NEWEST_THREADS = {
  name: 'list_newest_threads',
  text: `
select w.n, versioned.version, ${hasChanged('versioned.version')} as changed, ${ACCESS}, counted.total,
  (select coalesce(json_agg(one), '[]') from (${newestSql(THREAD, 'c')}) one) as threads
from json_to_recordset($1)
  as w(n int, organization_id uuid, sees_agent_events boolean, chat_id text, max_rows int, cacheable boolean, cached text)
cross join lateral (
  select o.*, o.xmin from chats o where o.organization_id = w.organization_id and o.id = w.chat_id limit 1
) found
cross join lateral (
  select count(*)::int as total from threads t where t.organization_id = found.organization_id and t.chat_id = found.id
) counted
cross join lateral (
  select case when w.cacheable then ${rowVersion(chatVersion('found'), 'counted.total', `string_agg(one.version, ' ')`)} end as version
  from (${newestSql(`${THREAD_VERSION} as version`, 'found', 'and w.cacheable')}) one
) versioned
left join lateral (select found.* where ${hasChanged('versioned.version')} limit 1) c on true`,
};

/** The query that runs when a chat is opened. */
export const readNewestThreads = async (
  scope: OrganizationScope,
  chatId: string,
  maxRows: number,
  cached: CachedVersion,
): Promise<Row | undefined> => {
  const key = { sees_agent_events: canSeeAgentEvents(scope), chat_id: chatId, max_rows: maxRows, ...cached };
  return (await loadBatched<Row>(scope, NEWEST_THREADS, key))[0];
};
