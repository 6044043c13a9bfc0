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
  /** Only events of this kind of author. */
  authorType: UserKind | null;
  additionalData: AdditionalData[];
  enabled: Generated<boolean>;
  /** Which parts a receiver of the older kind asked for; absent for the others. */
  dataTypes: ColumnType<string[] | null, string[] | null | undefined, never>;
  /** Whether it ever took a message; kept for the older kind. */
  verified: Generated<boolean>;
  /** `user:password` of its URL, for the older kind. */
  credentialsSealed: ColumnType<Buffer | null, Buffer | null | undefined, never>;
  createdAt: Date;
}

export interface WebhookDeliveriesTable {
  organizationId: string;
  id: Generated<string>;
  sequence: Generated<number>;
  webhookId: string;
  chatId: string | null;
  action: string;
  /** What happened, as the program says it to itself. */
  event: ColumnType<unknown, string, never>;
  additionalData: ColumnType<Record<string, unknown>, string, never>;
  state: Generated<DeliveryState>;
  attempts: Generated<number>;
  nextAttemptAt: Date;
  /** Somebody is sending it until then. */
  leasedUntil: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}
