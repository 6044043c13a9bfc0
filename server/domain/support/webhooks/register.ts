import { randomUUID } from 'node:crypto';
import type { UserKind } from '#server/storage/tables/chats.ts';
import type { AdditionalData, WebhookType } from '#server/storage/tables/webhooks.ts';
import { requireAdministrator } from '../../access.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { isWebhookAction, webhookActions } from './actions.ts';
import { toWebhook, type WebhookRecord } from './records.ts';

const MAX_PER_ACTION = 3;
/** Client ids can be made up, so there is also a limit per organization. */
const MAX_PER_ORGANIZATION = 300;

export interface NewWebhook {
  action: string;
  url: string;
  secretKey: string;
  ownerClientId: string;
  type: WebhookType;
  description?: string | undefined;
  authorType?: UserKind | undefined;
  additionalData: AdditionalData[];
}

/** Locks the organization, so that concurrent registrations are counted one after the other. */
export const assertRoom = async (
  tx: Transaction<OrganizationScope>,
  { action, ownerClientId }: Pick<NewWebhook, 'action' | 'ownerClientId'>,
): Promise<void> => {
  await tx.db
    .selectFrom('organizations')
    .where('id', '=', tx.organizationId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const rows = await tx.from('webhooks').select(['action', 'ownerClientId']).execute();
  const existing = rows.filter((row) => row.action === action && row.ownerClientId === ownerClientId);
  if (existing.length >= MAX_PER_ACTION || rows.length >= MAX_PER_ORGANIZATION)
    throw new DomainError('limit_reached', 'Resource limit reached');
};

export const registerWebhook = async (scope: OrganizationScope, input: NewWebhook): Promise<{ id: string }> => {
  requireAdministrator(scope.actor);
  const { secretKey, additionalData, description, authorType, ...columns } = input;
  if (!isWebhookAction(input.action)) {
    const actions = Object.values(webhookActions).filter((action) => action !== undefined);
    throw invalid('action', `must be one of: ${[...new Set(actions)].join(', ')}`);
  }
  if (!scope.services.installation.isAllowedUrl(input.url)) throw invalid('url', 'must be a public http or https URL');
  const id = randomUUID();
  await scope.transaction(async (tx) => {
    await assertRoom(tx, input);
    await tx
      .insert('webhooks', {
        ...columns,
        id,
        description: description ?? null,
        authorType: authorType ?? null,
        secretKeySealed: tx.services.secrets.seal(secretKey),
        additionalData: [...new Set(additionalData)],
        createdAt: tx.now(),
      })
      .execute();
  });
  return { id };
};

/** Webhooks of the chat-ops API are managed in `chat-ops-webhooks.ts`. */
const current = (scope: OrganizationScope) => scope.from('webhooks').where('dataTypes', 'is', null);

export const listWebhooks = async (
  scope: OrganizationScope,
  { ownerClientId }: { ownerClientId?: string | undefined },
): Promise<WebhookRecord[]> => {
  requireAdministrator(scope.actor);
  const all = current(scope).orderBy('createdAt').orderBy('id').selectAll();
  const rows = await (ownerClientId === undefined ? all : all.where('ownerClientId', '=', ownerClientId)).execute();
  return rows.map((row) => toWebhook(row, scope.services.secrets));
};

export interface WebhookRef {
  id: string;
  /** If given, it must be the client id that registered the webhook. */
  ownerClientId?: string | undefined;
}

/** Pending deliveries are removed with it. */
export const unregisterWebhook = async (scope: OrganizationScope, { id, ownerClientId }: WebhookRef): Promise<void> => {
  requireAdministrator(scope.actor);
  const one = scope.remove('webhooks').where('id', '=', id).where('dataTypes', 'is', null);
  const { numDeletedRows } = await (ownerClientId === undefined
    ? one
    : one.where('ownerClientId', '=', ownerClientId)
  ).executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('Webhook');
};

/** While a webhook is disabled, no deliveries are created, and pending ones wait until it is enabled again. */
export const setWebhookEnabled = async (
  scope: OrganizationScope,
  { id, enabled }: { id: string; enabled: boolean },
): Promise<void> => {
  requireAdministrator(scope.actor);
  const { numUpdatedRows } = await scope.update('webhooks').where('id', '=', id).set({ enabled }).executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('Webhook');
};
