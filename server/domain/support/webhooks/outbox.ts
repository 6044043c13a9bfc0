import type { Executor } from '#server/storage/executor.ts';
import type { DomainEvent } from '../../events.ts';
import { webhookActions } from './actions.ts';
import { chatOpsActionsOf } from './chat-ops-actions.ts';

/** The additional data that webhook `w` was registered with; read only for webhooks that match. */
const additionalData = (chatId: string): string => `
  coalesce((
    select case when 'chat_properties' = any(w.additional_data)
      then jsonb_build_object('chat_properties', c.properties) else '{}' end
    || case when 'chat_presence_user_ids' = any(w.additional_data)
      then jsonb_build_object('chat_presence_user_ids', (
        select coalesce(jsonb_agg(u.user_id order by u.joined_at, u.user_id), '[]') from chat_users u
        where u.organization_id = c.organization_id and u.chat_id = c.id and u.present and u.visibility = 'all'))
      else '{}' end
    from chats c where c.organization_id = w.organization_id and c.id = ${chatId}
  ), '{}')`;

/**
 * One row for each event and enabled webhook of its actions. The webhooks are locked, so that one that is being removed is skipped
 * instead of failing the transaction.
 */
const WRITE = `
insert into webhook_deliveries (organization_id, webhook_id, chat_id, action, event, additional_data, next_attempt_at, created_at)
select w.organization_id, w.id, h.chat_id, w.action, h.event, ${additionalData('h.chat_id')}, $2, $2
from json_to_recordset($1) as h(n int, organization_id uuid, action text, chat_id text, author text, event jsonb)
join webhooks w on w.organization_id = h.organization_id and w.action = h.action and w.enabled
  and (w.author_type is null or h.author is null or w.author_type = h.author)
order by h.n, w.id
for key share of w
returning id`;

const authorOf = (event: DomainEvent): string | null => (event.type === 'event_sent' ? event.event.author.kind : null);

const toEntries = (event: DomainEvent, n: number): object[] => {
  const actions = [webhookActions[event.type] ?? [], chatOpsActionsOf(event)].flat();
  if (!('organizationId' in event)) return [];
  const { cause: _, ...body } = event;
  const chat_id = 'chatId' in event ? event.chatId : null;
  const { organizationId: organization_id } = event;
  return actions.map((action) => ({ n, organization_id, action, chat_id, author: authorOf(event), event: body }));
};

/** Writes deliveries in the transaction of their events. Returns whether there are any. */
export const writeDeliveries = async (tx: Executor, events: DomainEvent[], now: Date): Promise<boolean> => {
  const entries = events.flatMap(toEntries);
  if (entries.length === 0) return false;
  const { rows } = await tx.query({ name: 'write_deliveries', text: WRITE, values: [JSON.stringify(entries), now] });
  return rows.length > 0;
};
