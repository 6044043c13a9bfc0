import type { Selectable } from 'kysely';
import type { EventsTable, Properties } from '#server/storage/tables/chats.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';

export type EventPlace = Pick<Selectable<EventsTable>, 'chatId' | 'threadId' | 'number' | 'type'>;

/** Invalidates cached copies of the event: a chat whose `last_events` refers to it gets the new revision. */
const NEW_REVISION = `
update chats c set last_events = jsonb_set(c.last_events, array[$3], jsonb_build_array($4::text, $5::int,
  coalesce((c.last_events -> $3 ->> 2)::int, 0) + 1))
where c.organization_id = $1 and c.id = $2
  and c.last_events -> $3 ->> 0 = $4 and (c.last_events -> $3 ->> 1)::int = $5`;

/** The only way to change an existing event. The caller has locked the chat's row. */
export const changeEvent = async (
  tx: Transaction<OrganizationScope>,
  { chatId, threadId, number, type }: EventPlace,
  changes: { content?: Record<string, unknown>; properties?: Properties },
): Promise<void> => {
  const written = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, JSON.stringify(value)]));
  await tx.update('events').where('threadId', '=', threadId).where('number', '=', number).set(written).execute();
  await tx.executor.query({ text: NEW_REVISION, values: [tx.organizationId, chatId, type, threadId, number] });
};
