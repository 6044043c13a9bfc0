import type { DomainEvent } from '#server/domain/events.ts';
import type { Services } from '#server/domain/scope.ts';
import type { LeasedDelivery } from '#server/domain/support/webhooks/send-queue.ts';
import { buildChatOpsBody } from '../shared/chat-ops-webhook-bodies.ts';
import { presentPush } from './chat-pushes.ts';
import { chatPresenter } from './present-chat.ts';

/** Webhooks identify agents by login. */
const present = chatPresenter((login) => login);

/** Events that are also pushed to sockets, and events for webhooks only. */
const payloadOf = (event: DomainEvent): object => {
  switch (event.type) {
    case 'customer_session_fields_updated': {
      const { customerId, chatId, threadId, sessionFields } = event;
      return { id: customerId, active_chat: { chat_id: chatId, thread_id: threadId }, session_fields: sessionFields };
    }
    default:
      return presentPush(present, event).payload;
  }
};

interface Message {
  organizationId: string;
  webhookId: string;
  action: string;
  event: DomainEvent;
  additionalData: Record<string, unknown>;
}

/** The body of a webhook v3.5. */
export const writeWebhookBody = (message: Message, secretKey: string): string =>
  JSON.stringify({
    webhook_id: message.webhookId,
    secret_key: secretKey,
    action: message.action,
    organization_id: message.organizationId,
    payload: payloadOf(message.event),
    additional_data: message.additionalData,
  });

/** Each webhook gets the body format of the API it was registered with. */
export const webhookWriter =
  (services: Services) =>
  (delivery: LeasedDelivery, secretKey: string): Promise<string> | string =>
    delivery.dataTypes
      ? buildChatOpsBody(services, { ...delivery, dataTypes: delivery.dataTypes }, secretKey)
      : writeWebhookBody(delivery, secretKey);
