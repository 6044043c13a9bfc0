import type { BotRecord } from '#server/domain/support/agents/bots/bots.ts';
import type { DeliveryRecord, WebhookRecord } from '#server/domain/support/webhooks/records.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { presentStatus } from '#server/surfaces/chat-v3/routing-status.ts';

export const presentWebhook = (webhook: WebhookRecord) => ({
  id: webhook.id,
  action: webhook.action,
  url: webhook.url,
  secret_key: webhook.secretKey,
  owner_client_id: webhook.ownerClientId,
  type: webhook.type,
  ...(webhook.description === undefined ? {} : { description: webhook.description }),
  ...(webhook.authorType === undefined ? {} : { filters: { author_type: webhook.authorType } }),
  additional_data: webhook.additionalData,
  enabled: webhook.enabled,
  created_at: toTimestamp(webhook.createdAt),
});

export const presentDelivery = (delivery: DeliveryRecord) => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  ...(delivery.chatId === undefined ? {} : { chat_id: delivery.chatId }),
  action: delivery.action,
  state: delivery.state,
  attempts: delivery.attempts,
  created_at: toTimestamp(delivery.createdAt),
  ...(delivery.nextAttemptAt ? { next_attempt_at: toTimestamp(delivery.nextAttemptAt) } : {}),
  ...(delivery.finishedAt ? { finished_at: toTimestamp(delivery.finishedAt) } : {}),
  ...(delivery.lastStatus === undefined ? {} : { last_status: delivery.lastStatus }),
  ...(delivery.lastError === undefined ? {} : { last_error: delivery.lastError }),
});

export const presentBot = (bot: BotRecord) => ({
  id: bot.id,
  name: bot.name,
  avatar: bot.avatar,
  job_title: bot.jobTitle,
  routing_status: presentStatus[bot.status],
  max_chats_count: bot.maxChatsCount,
  groups: bot.groupIds.map((id) => ({ id, priority: 'normal' as const })),
});
