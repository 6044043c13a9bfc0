import type { Selectable } from 'kysely';
import type { UserKind } from '#server/storage/tables/chats.ts';
import type {
  AdditionalData,
  DeliveryState,
  WebhookDeliveriesTable,
  WebhooksTable,
  WebhookType,
} from '#server/storage/tables/webhooks.ts';
import type { Secrets } from '../../secrets.ts';

export interface WebhookRecord {
  id: string;
  action: string;
  url: string;
  secretKey: string;
  ownerClientId: string;
  type: WebhookType;
  description?: string;
  authorType?: UserKind;
  additionalData: AdditionalData[];
  enabled: boolean;
  createdAt: Date;
}

export const toWebhook = (row: Selectable<WebhooksTable>, secrets: Secrets): WebhookRecord => ({
  id: row.id,
  action: row.action,
  url: row.url,
  secretKey: secrets.unseal(row.secretKeySealed),
  ownerClientId: row.ownerClientId,
  type: row.type,
  ...(row.description === null ? {} : { description: row.description }),
  ...(row.authorType === null ? {} : { authorType: row.authorType }),
  additionalData: row.additionalData,
  enabled: row.enabled,
  createdAt: row.createdAt,
});

/** One delivery to one receiver, without its body. */
export interface DeliveryRecord {
  id: string;
  webhookId: string;
  chatId?: string;
  action: string;
  state: DeliveryState;
  attempts: number;
  createdAt: Date;
  /** Set while the delivery is pending. */
  nextAttemptAt?: Date;
  finishedAt?: Date;
  lastStatus?: number;
  lastError?: string;
}

/** The delivery log does not include bodies. */
export const DELIVERY_COLUMNS = [
  'id',
  'webhookId',
  'chatId',
  'action',
  'state',
  'attempts',
  'createdAt',
  'nextAttemptAt',
  'finishedAt',
  'lastStatus',
  'lastError',
] as const satisfies (keyof WebhookDeliveriesTable)[];

type DeliveryRow = Pick<Selectable<WebhookDeliveriesTable>, (typeof DELIVERY_COLUMNS)[number]>;

export const toDelivery = (row: DeliveryRow): DeliveryRecord => ({
  id: row.id,
  webhookId: row.webhookId,
  ...(row.chatId === null ? {} : { chatId: row.chatId }),
  action: row.action,
  state: row.state,
  attempts: row.attempts,
  createdAt: row.createdAt,
  ...(row.state === 'pending' ? { nextAttemptAt: row.nextAttemptAt } : {}),
  ...(row.finishedAt === null ? {} : { finishedAt: row.finishedAt }),
  ...(row.lastStatus === null ? {} : { lastStatus: row.lastStatus }),
  ...(row.lastError === null ? {} : { lastError: row.lastError }),
});
