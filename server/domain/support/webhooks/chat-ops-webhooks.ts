import { randomBytes, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { WebhooksTable } from '#server/storage/tables/webhooks.ts';
import { requireAdministrator, requireAgent } from '../../access.ts';
import { invalid, notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { equalSecrets } from '../../secrets.ts';
import { type ChatOpsAction, type DataType, dataTypesOf } from './chat-ops-actions.ts';
import { assertRoom } from './register.ts';

export interface ChatOpsWebhook {
  id: string;
  license: number;
  eventType: ChatOpsAction;
  dataTypes: DataType[];
  url: string;
  verified: boolean;
  /** Visible to administrators only: its holder can set properties of visitors. */
  token?: string;
}

/** Webhooks of the chat-ops API have no client id. */
const OWNER = 'rest-v2';

const chatOpsWebhooks = (scope: OrganizationScope) => scope.from('webhooks').where('dataTypes', 'is not', null);

/** Credentials in a receiver's URL are stored encrypted, apart from the URL. */
const splitUrl = (text: string): { url: string; credentials?: string } => {
  const url = URL.parse(text);
  if (!url || (url.username === '' && url.password === '')) return { url: text };
  const credentials = `${url.username}:${url.password}`;
  url.username = '';
  url.password = '';
  return { url: url.href, credentials };
};

/** Puts the credentials back into the URL. */
export const joinUrl = (text: string, credentials: string | undefined): string =>
  credentials === undefined ? text : text.replace('://', () => `://${credentials}@`);

const toWebhook = (scope: OrganizationScope, license: number, row: Selectable<WebhooksTable>): ChatOpsWebhook => {
  const { secrets } = scope.services;
  const canSeeToken = requireAgent(scope.actor).permission !== 'normal';
  const credentials = canSeeToken && row.credentialsSealed ? secrets.unseal(row.credentialsSealed) : undefined;
  return {
    id: row.id,
    license,
    eventType: row.action as ChatOpsAction,
    dataTypes: row.dataTypes as DataType[],
    url: joinUrl(row.url, credentials),
    verified: row.verified,
    ...(canSeeToken ? { token: secrets.unseal(row.secretKeySealed) } : {}),
  };
};

export const listChatOpsWebhooks = async (scope: OrganizationScope): Promise<ChatOpsWebhook[]> => {
  requireAgent(scope.actor);
  const { licenseNumber } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select('licenseNumber')
    .executeTakeFirstOrThrow();
  const rows = await chatOpsWebhooks(scope).orderBy('createdAt').orderBy('id').selectAll().execute();
  return rows.map((row) => toWebhook(scope, licenseNumber, row));
};

export interface NewChatOpsWebhook {
  eventType: ChatOpsAction;
  dataTypes: DataType[];
  url: string;
}

/** The token is part of each delivery and signs it. */
export const createChatOpsWebhook = async (
  scope: OrganizationScope,
  { eventType, dataTypes, url: requested }: NewChatOpsWebhook,
): Promise<ChatOpsWebhook> => {
  requireAdministrator(scope.actor);
  const allowed = dataTypesOf[eventType];
  if (dataTypes.some((type) => !allowed.includes(type)))
    throw invalid('dataTypes', `may contain only these values for ${eventType}: ${allowed.join(', ')}`);
  const { url, credentials } = splitUrl(requested);
  const { secrets, installation } = scope.services;
  if (!installation.isAllowedUrl(url)) throw invalid('url', 'must be a public http or https URL');
  const id = randomUUID();
  await scope.transaction(async (tx) => {
    await assertRoom(tx, { action: eventType, ownerClientId: OWNER });
    await tx
      .insert('webhooks', {
        ...{ id, action: eventType, url, ownerClientId: OWNER, type: 'license', description: null, authorType: null },
        ...{ additionalData: [], dataTypes: [...new Set(dataTypes)], createdAt: tx.now() },
        secretKeySealed: secrets.seal(randomBytes(16).toString('hex')),
        credentialsSealed: credentials === undefined ? null : secrets.seal(credentials),
      })
      .execute();
  });
  return (await listChatOpsWebhooks(scope)).find((webhook) => webhook.id === id)!;
};

/** Pending deliveries are removed with it. */
export const deleteChatOpsWebhook = async (scope: OrganizationScope, { id }: { id: string }): Promise<void> => {
  requireAdministrator(scope.actor);
  const { numDeletedRows } = await scope
    .remove('webhooks')
    .where('id', '=', id)
    .where('dataTypes', 'is not', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('Webhook');
};

/** Whether this token was sent with a `chat_started` delivery; it authorizes setting properties of the visitor. */
export const isWebhookToken = async (scope: OrganizationScope, token: string): Promise<boolean> => {
  const rows = await chatOpsWebhooks(scope).where('action', '=', 'chat_started').select('secretKeySealed').execute();
  const { secrets } = scope.services;
  return rows.some((row) => equalSecrets(secrets.unseal(row.secretKeySealed), token));
};
