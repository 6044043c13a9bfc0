import { enqueueProjection } from '../../projection-queue.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { isFileId } from '../files/address.ts';

interface ErasedFile {
  id: string;
  storageKey: string;
  thumbnailKey: string | null;
  thumbnail2xKey: string | null;
}

const FILE_ID = /[0-9a-f]{32}/g;

/** Erases the messages of the customer's tickets. The tickets stay with their statuses and times. */
export const eraseTickets = async (
  tx: Transaction<OrganizationScope>,
  email: string | null,
): Promise<{ count: number; files: ErasedFile[] }> => {
  if (email === null) return { count: 0, files: [] };
  const { organizationId, executor } = tx;
  const { rows: tickets } = await executor.query<{ id: string }>({
    text: `select t.id from tickets t where t.organization_id = $1 and lower(t.requester_mail) = lower($2) order by t.id for update`,
    values: [organizationId, email],
  });
  const ids = tickets.map(({ id }) => id);
  if (ids.length === 0) return { count: 0, files: [] };
  const { rows: contents } = await executor.query<{ content: string }>({
    text: `select e.content::text as content from ticket_events e where e.organization_id = $1 and e.ticket_id = any($2)`,
    values: [organizationId, ids],
  });
  const named = [...new Set(contents.flatMap(({ content }) => content.match(FILE_ID) ?? []))].filter(isFileId);
  const attached =
    named.length === 0
      ? []
      : await tx
          .from('files')
          .where('id', 'in', named)
          .select(['id', 'storageKey', 'thumbnailKey', 'thumbnail2xKey'])
          .execute();
  const mails = await tx.from('incomingMails').where('ticketId', 'in', ids).select(['id', 'storageKey']).execute();
  const values = [organizationId, ids];
  for (const text of [
    `update tickets t set subject = '(erased)', requester_mail = '', requester_name = '', source_url = null
       where t.organization_id = $1 and t.id = any($2)`,
    `update ticket_events e set content = case when e.type in ('message', 'subject_changed') then '{"text": ""}'::jsonb else e.content end,
       author_id = case when e.author_type = 'client' then '' else e.author_id end,
       author_name = case when e.author_type = 'client' then '' else e.author_name end
       where e.organization_id = $1 and e.ticket_id = any($2)`,
    `delete from ticket_message_ids m where m.organization_id = $1 and m.ticket_id = any($2)`,
    `delete from incoming_mails m where m.organization_id = $1 and m.ticket_id = any($2)`,
  ])
    await executor.query({ text, values });
  await enqueueProjection(tx, 'ticket_search', ids);
  const raw = mails.map(({ id, storageKey }) => ({ id, storageKey, thumbnailKey: null, thumbnail2xKey: null }));
  return { count: ids.length, files: [...attached, ...raw] };
};
