/**
 * Row versions: texts that change whenever something shown to the reader is written. Chats, threads, events and chat
 * users are identified by the transaction that wrote them last (`xmin`). Customers and agents are updated on every
 * status change, so their versions consist of the displayed columns.
 */

/** The version of a chat and all its users, visible to the reader or not. */
export const chatVersion = (chat: 'c' | 'found'): string => `concat_ws(' ', ${chat}.id, ${chat}.xmin, (
  select string_agg(u.xmin::text || case u.kind when 'agent' then (
    select (a.name, a.avatar, a.job_title)::text from agents a where a.organization_id = u.organization_id and a.id = u.user_id
  ) else '' end, ' ')
  from chat_users u where u.organization_id = ${chat}.organization_id and u.chat_id = ${chat}.id))`;

/** The version of thread `t` and its events. */
export const THREAD_VERSION = `concat_ws(' ', t.id, t.xmin,
  (select string_agg(e.xmin::text, ' ') from events e where e.organization_id = t.organization_id and e.thread_id = t.id), 'by',
  (select string_agg(b.agent_id, ' ') from thread_agents b where b.organization_id = t.organization_id and b.thread_id = t.id))`;

/** Hashed to keep it short, since it is sent with the next read. */
export const rowVersion = (...parts: string[]): string =>
  `hashtextextended(concat_ws(' ', ${parts.join(', ')}), 0)::text`;

/** The version of the joined customer `k`. */
export const CUSTOMER_VERSION = 'k::text';

/** Whether the rows must be read: unless the reader has cached this version. */
export const hasChanged = (version: string): string => `coalesce(${version} <> w.cached, true)`;
