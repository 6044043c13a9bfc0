import type { ColumnType, Generated } from 'kysely';
import type { UserKind } from './chats.ts';

export type WebhookType = 'license' | 'bot';
export type AdditionalData = 'chat_properties' | 'chat_presence_user_ids';
export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface WebhooksTable {
  organizationId: string;
  id: string;
  action: string;
  url: string;
  secretKeySealed: Buffer;
  ownerClientId: string;
  type: WebhookType;
  description: string | null;
  /** Limits events to those of this kind of author. */
  authorType: UserKind | null;
  additionalData: AdditionalData[];
  enabled: Generated<boolean>;
  /** The data types of a chat-ops webhook; null for other webhooks. */
  dataTypes: ColumnType<string[] | null, string[] | null | undefined, never>;
  /** Whether a delivery was ever accepted; used only for chat-ops webhooks. */
  verified: Generated<boolean>;
  /** `user:password` of its URL; used only for chat-ops webhooks. */
  credentialsSealed: ColumnType<Buffer | null, Buffer | null | undefined, never>;
  createdAt: Date;
  /** The process that sends its deliveries, until this time. */
  leasedBy: ColumnType<string | null, never, never>;
  leasedUntil: ColumnType<Date | null, never, never>;
}

export interface WebhookDeliveriesTable {
  organizationId: string;
  id: Generated<string>;
  sequence: Generated<number>;
  webhookId: string;
  chatId: string | null;
  action: string;
  /** The domain event as JSON. */
  event: ColumnType<unknown, string, never>;
  additionalData: ColumnType<Record<string, unknown>, string, never>;
  state: Generated<DeliveryState>;
  attempts: Generated<number>;
  nextAttemptAt: Date;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}
