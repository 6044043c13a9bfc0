import type { OrganizationScope } from '../../scope.ts';

/**
 * The number of events before each thread of a chat: an event's position is that plus its own number. Only the last
 * thread grows, so positions never change.
 */
export const THREAD_STARTS = `
  select t.id, coalesce(sum(n.events) over (order by t.created_at, t.id rows between unbounded preceding and 1 preceding), 0)::int as before
  from threads t
  cross join lateral (
    select coalesce(max(e.number), 0) as events from events e where e.organization_id = $1 and e.thread_id = t.id) n
  where t.organization_id = $1 and t.chat_id = $2`;

/** The position of an event. */
export const positionOf = async (scope: OrganizationScope, chatId: string, eventId: string): Promise<number> => {
  const [threadId, number] = eventId.split('_') as [string, string];
  const text = `select s.before from (${THREAD_STARTS}) s where s.id = $3`;
  const values = [scope.organizationId, chatId, threadId];
  const { rows } = await scope.executor.query<{ before: number }>({ text, values });
  return rows[0]!.before + Number(number);
};
