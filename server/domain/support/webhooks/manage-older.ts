import { randomBytes, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { WebhooksTable } from '#server/storage/tables/webhooks.ts';
import { requireAdministrator, requireAgent } from '../../access.ts';
import { invalid, notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { equalSecrets } from '../../secrets.ts';
import { type DataType, dataTypesOf, type OlderAction } from './older-kinds.ts';
import { assertRoom } from './register.ts';

export interface OlderWebhook {
  id: string;
  license: number;
  eventType: OlderAction;
  dataTypes: DataType[];
  url: string;
  verified: boolean;
  /** Only administrators get to see it: it lets its holder say things about visitors. */
  token?: string;
}

/** Nobody registers these by a client id. */
const OWNER = 'rest-v2';

const older = (scope: OrganizationScope) => scope.from('webhooks').where('dataTypes', 'is not', null);

/** The password of a receiver is kept apart from its address, and sealed. */
const splitUrl = (text: string): { url: string; credentials?: string } => {
  const url = URL.parse(text);
  if (!url || (url.username === '' && url.password === '')) return { url: text };
  const credentials = `${url.username}:${url.password}`;
  url.username = '';
  url.password = '';
  return { url: url.href, credentials };
};

/** With what stands before the `@`, if anything does. */
export const joinUrl = (text: string, credentials: string | undefined): string =>
  credentials === undefined ? text : text.replace('://', () => `://${credentials}@`);

const toWebhook = (scope: OrganizationScope, license: number, row: Selectable<WebhooksTable>): OlderWebhook => {
  const { secrets } = scope.services;
  const sees = requireAgent(scope.actor).permission !== 'normal';
  const credentials = sees && row.credentialsSealed ? secrets.unseal(row.credentialsSealed) : undefined;
  return {
    id: row.id,
    license,
    eventType: row.action as OlderAction,
    dataTypes: row.dataTypes as DataType[],
    url: joinUrl(row.url, credentials),
    verified: row.verified,
    ...(sees ? { token: secrets.unseal(row.secretKeySealed) } : {}),
  };
};

export const listOlderWebhooks = async (scope: OrganizationScope): Promise<OlderWebhook[]> => {
  requireAgent(scope.actor);
  const { licenseNumber } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select('licenseNumber')
    .executeTakeFirstOrThrow();
  const rows = await older(scope).orderBy('createdAt').orderBy('id').selectAll().execute();
  return rows.map((row) => toWebhook(scope, licenseNumber, row));
};

export interface NewOlderWebhook {
  eventType: OlderAction;
  dataTypes: DataType[];
  url: string;
}

/** Its token stands in each message and signs it. */
export const createOlderWebhook = async (
  scope: OrganizationScope,
  { eventType, dataTypes, url: asked }: NewOlderWebhook,
): Promise<OlderWebhook> => {
  requireAdministrator(scope.actor);
  const allowed = dataTypesOf[eventType];
  if (dataTypes.some((type) => !allowed.includes(type)))
    throw invalid('data_types', `of ${eventType} may be: ${allowed.join(', ')}`);
  const { url, credentials } = splitUrl(asked);
  const { secrets, mayCall } = scope.services;
  if (!mayCall(url)) throw invalid('url', 'is not an address that may be called');
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
  return (await listOlderWebhooks(scope)).find((webhook) => webhook.id === id)!;
};

/** What is written but not sent yet goes with it. */
export const deleteOlderWebhook = async (scope: OrganizationScope, { id }: { id: string }): Promise<void> => {
  requireAdministrator(scope.actor);
  const { numDeletedRows } = await scope
    .remove('webhooks')
    .where('id', '=', id)
    .where('dataTypes', 'is not', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('Webhook');
};

/** Whether a message about a chat that began has brought this token; whoever has it may say something about the visitor. */
export const isWebhookToken = async (scope: OrganizationScope, token: string): Promise<boolean> => {
  const rows = await older(scope).where('action', '=', 'chat_started').select('secretKeySealed').execute();
  const { secrets } = scope.services;
  return rows.some((row) => equalSecrets(secrets.unseal(row.secretKeySealed), token));
};
