import { findCustomerOrganizations } from '#server/storage/platform.ts';
import { requireOperator } from '../../access.ts';
import { invalid, notFound } from '../../errors.ts';
import type { ContentStore } from '../../files/content-store.ts';
import { isUuid } from '../../ids.ts';
import { enqueueProjection } from '../../projection-queue.ts';
import { type OrganizationScope, openOrganizationScope, type PlatformScope, type Transaction } from '../../scope.ts';
import { deactivateChat } from '../chats/lifecycle/deactivate-chat.ts';
import { lockCustomer } from '../customers/lock-customer.ts';
import { removeContent } from '../files/records.ts';
import { eraseTickets } from './erase-tickets.ts';

export interface Erased {
  chats: number;
  files: number;
  tickets: number;
}

/** Active chats are closed first, so that their agents see that they ended. */
const closeChats = async (scope: OrganizationScope, customerId: string): Promise<void> => {
  const active = await scope
    .from('chats')
    .where('customerId', '=', customerId)
    .where('active', '=', true)
    .select('id')
    .execute();
  for (const { id: chatId } of active)
    await deactivateChat(scope, {
      chatId,
      reason: {
        systemMessageType: 'system_archived',
        text: 'The chat was closed because the customer’s data is erased',
        outcome: 'closed',
        stillApplies: (_, chat) => chat.active,
      },
    });
};

/** Erases the content of chats. Counts, times and assignments stay for reports. */
const eraseChats = async (tx: Transaction<OrganizationScope>, chatIds: string[]): Promise<void> => {
  if (chatIds.length === 0) return;
  const { organizationId, executor } = tx;
  const values = [organizationId, chatIds];
  const run = (text: string) => executor.query({ text, values });
  await run(`update chats c set anonymized = true, properties = '{}', last_events = '{}'
    where c.organization_id = $1 and c.id = any($2)`);
  await run(`update threads t set properties = case when t.properties ? 'rating'
      then jsonb_build_object('rating', (t.properties->'rating') - 'comment'::text) else '{}'::jsonb end, session_fields = null
    where t.organization_id = $1 and t.chat_id = any($2)`);
  await run(`update events e set content = jsonb_build_object('type', e.type), properties = '{}', custom_id = null
    where e.organization_id = $1 and e.thread_id in
      (select t.id from threads t where t.organization_id = $1 and t.chat_id = any($2))`);
  await run(`delete from webhook_deliveries d where d.organization_id = $1 and d.chat_id = any($2)`);
};

const eraseSelf = async (tx: Transaction<OrganizationScope>, id: string): Promise<void> => {
  await tx
    .update('customers')
    .where('id', '=', id)
    .set({
      ...{ name: null, email: null, avatar: null, sessionFields: '[]', cookieSecretHash: null, pendingUpdate: null },
      ...{ emailVerifiedAt: null, visitorId: null, userAgent: null, referrer: null },
    })
    .execute();
  for (const table of ['customerTokens', 'emailVerifications', 'visitorDetails', 'visitorSessions'] as const)
    await tx.remove(table).where('customerId', '=', id).execute();
  const { organizationId, executor } = tx;
  await tx.db
    .deleteFrom('addressConfirmations')
    .where('ownerId', '=', organizationId)
    .where('kind', '=', 'customer')
    .where('subjectId', '=', id)
    .execute();
  const values = [organizationId, id];
  await executor.query({
    text: `delete from visit_pages p where p.organization_id = $1 and p.visit_id in
      (select v.id from visits v where v.organization_id = $1 and v.customer_id = $2)`,
    values,
  });
  await executor.query({
    text: `update visits v set referrer = null, user_agent = null, ip = null, language = null, timezone = null, place = null
      where v.organization_id = $1 and v.customer_id = $2`,
    values,
  });
};

const eraseIn = async (scope: OrganizationScope, store: ContentStore, customerId: string): Promise<Erased> => {
  await closeChats(scope, customerId);
  const { files, ...counts } = await scope.transaction(async (tx) => {
    const { email } = await lockCustomer(tx, customerId);
    const chats = await tx.from('chats').where('customerId', '=', customerId).orderBy('id').select('id').execute();
    const chatIds = chats.map(({ id }) => id);
    const uploads = await tx
      .from('files')
      .where('uploaderKind', '=', 'customer')
      .where('uploaderId', '=', customerId)
      .select(['id', 'storageKey', 'thumbnailKey', 'thumbnail2xKey'])
      .execute();
    await eraseChats(tx, chatIds);
    const tickets = await eraseTickets(tx, email);
    await eraseSelf(tx, customerId);
    await enqueueProjection(tx, 'archive_search', [`customer:${customerId}`]);
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    return { chats: chatIds.length, files: [...uploads, ...tickets.files], tickets: tickets.count };
  });
  await scope.services.projections.applyPending(scope.organizationId, 'archive_search', 'ticket_search');
  // Rows are deleted after the content, so that an interrupted run finds them again.
  for (const file of files) await removeContent(store, file);
  const ids = files.map(({ id }) => id);
  if (ids.length > 0) await scope.remove('files').where('id', 'in', ids).execute();
  return { ...counts, files: ids.length };
};

/** Erases a customer's personal data in every organization with this id. It is idempotent. */
export const anonymizeCustomer = async (
  scope: PlatformScope,
  store: ContentStore,
  { customerId, organizationId }: { customerId: string; organizationId?: string | undefined },
): Promise<Erased> => {
  requireOperator(scope.actor);
  if (!isUuid(customerId)) throw notFound('Customer');
  if (organizationId !== undefined && !isUuid(organizationId)) throw invalid('organizationId', 'must be a UUID');
  const found = await findCustomerOrganizations(scope.executor, customerId);
  const chosen = found.filter((id) => organizationId === undefined || id === organizationId.toLowerCase());
  if (chosen.length === 0) throw notFound('Customer');
  const sum: Erased = { chats: 0, files: 0, tickets: 0 };
  for (const id of chosen) {
    const erased = await eraseIn(openOrganizationScope(scope.services, { kind: 'system' }, id), store, customerId);
    for (const key of ['chats', 'files', 'tickets'] as const) sum[key] += erased[key];
  }
  return sum;
};
