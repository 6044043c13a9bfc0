/**
 * Marks of rows: texts that are others as soon as something a reader is shown was written. Chats, threads, events and who
 * takes part are known by the transaction that wrote their row last. Customers and agents are written whenever they move, so
 * of these the mark holds what is shown.
 */

/** Of a chat and all who are in it, seen by the reader or not. */
export const chatMark = (chat: 'c' | 'found'): string => `concat_ws(' ', ${chat}.id, ${chat}.xmin, (
  select string_agg(u.xmin::text || case u.kind when 'agent' then (
    select (a.name, a.avatar, a.job_title)::text from agents a where a.organization_id = u.organization_id and a.id = u.user_id
  ) else '' end, ' ')
  from chat_users u where u.organization_id = ${chat}.organization_id and u.chat_id = ${chat}.id))`;

/** Of the thread `t` and everything in it. */
export const THREAD_MARK = `concat_ws(' ', t.id, t.xmin,
  (select string_agg(e.xmin::text, ' ') from events e where e.organization_id = t.organization_id and e.thread_id = t.id), 'by',
  (select string_agg(b.agent_id, ' ') from thread_agents b where b.organization_id = t.organization_id and b.thread_id = t.id))`;

/** Short, since it is sent with the next question. */
export const markOf = (...parts: string[]): string => `hashtextextended(concat_ws(' ', ${parts.join(', ')}), 0)::text`;

/** Of the customer `k`, who was joined as it is shown. */
export const CUSTOMER_MARK = 'k::text';

/** Whether what is marked must be read: always, unless the reader knows this mark. */
export const isNews = (mark: string): string => `coalesce(${mark} <> w.known, true)`;
