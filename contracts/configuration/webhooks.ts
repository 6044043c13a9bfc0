import { Type } from 'typebox';
import { Empty, Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { configurationAction } from './operation.ts';

const WebhookId = Type.String({ minLength: 1, maxLength: 100 });
const ClientId = Type.String({ minLength: 1, maxLength: 200 });
const AuthorType = oneOf('customer', 'agent');
const AdditionalData = Type.Array(oneOf('chat_properties', 'chat_presence_user_ids'), { maxItems: 10 });
const WebhookType = oneOf('license', 'bot');

/** Filters that are not supported are rejected, so that a receiver does not rely on them. */
const Unsupported = Type.Optional(Nullable(Type.Unknown({ description: 'Not supported; rejected' })));

const WebhookFilters = Type.Object({
  author_type: Type.Optional(
    Nullable(Type.Unsafe<'customer' | 'agent'>({ ...AuthorType, description: 'Only events by authors of this type' })),
  ),
  only_my_chats: Unsupported,
  chat_presence: Unsupported,
  source_type: Unsupported,
});

export const registerWebhook = configurationAction({
  name: 'register_webhook',
  scopes: ['webhooks_write'],
  audit: true,
  summary: 'Registers a webhook; at most three per action and client',
  body: Type.Object({
    action: Type.String({ minLength: 1, maxLength: 100, examples: ['incoming_event'] }),
    url: Type.String({ format: 'uri', maxLength: 500 }),
    secret_key: Type.String({ minLength: 1, maxLength: 500, description: 'Sent in each body and used to sign it' }),
    owner_client_id: ClientId,
    type: WebhookType,
    description: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    filters: Type.Optional(Nullable(WebhookFilters)),
    additional_data: Type.Optional(Nullable(AdditionalData)),
  }),
  responses: { 200: Type.Object({ id: WebhookId }) },
});

export const listWebhooks = configurationAction({
  name: 'list_webhooks',
  scopes: ['webhooks_read'],
  reads: true,
  summary: 'Lists the webhooks of the organization, optionally of one client',
  body: Type.Object({ owner_client_id: Type.Optional(Nullable(ClientId)) }),
  responses: {
    200: Type.Array(
      Type.Object({
        id: WebhookId,
        action: Type.String(),
        url: Type.String(),
        secret_key: Type.String(),
        owner_client_id: Type.String(),
        type: WebhookType,
        description: Type.Optional(Type.String()),
        filters: Type.Optional(Type.Object({ author_type: Type.Optional(AuthorType) })),
        additional_data: AdditionalData,
        enabled: Type.Boolean(),
        created_at: Timestamp,
      }),
    ),
  },
});

export const unregisterWebhook = configurationAction({
  name: 'unregister_webhook',
  scopes: ['webhooks_write'],
  audit: true,
  summary: 'Deletes a webhook and its delivery log',
  body: Type.Object({ id: WebhookId, owner_client_id: Type.Optional(Nullable(ClientId)) }),
  responses: { 200: Empty },
});

export const enableWebhook = configurationAction({
  name: 'enable_webhook',
  scopes: ['webhooks_write'],
  audit: true,
  summary: 'Resumes deliveries to a webhook',
  body: Type.Object({ id: WebhookId }),
  responses: { 200: Empty },
});

export const disableWebhook = configurationAction({
  name: 'disable_webhook',
  scopes: ['webhooks_write'],
  audit: true,
  summary: 'Pauses deliveries to a webhook; pending deliveries wait until it is enabled',
  body: Type.Object({ id: WebhookId }),
  responses: { 200: Empty },
});

const State = oneOf('pending', 'delivered', 'failed');

export const listWebhookDeliveries = configurationAction({
  name: 'list_webhook_deliveries',
  scopes: ['webhooks_read'],
  reads: true,
  summary: 'Lists pending, delivered and failed deliveries of the last two weeks, newest first',
  body: Type.Object({
    webhook_id: Type.Optional(WebhookId),
    state: Type.Optional(State),
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    page_id: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  }),
  responses: {
    200: Type.Object({
      deliveries: Type.Array(
        Type.Object({
          id: Type.String({ description: 'The `X-Parley-Delivery` header of each attempt' }),
          webhook_id: Type.String(),
          chat_id: Type.Optional(Type.String()),
          action: Type.String(),
          state: State,
          attempts: Int32(),
          created_at: Timestamp,
          next_attempt_at: Type.Optional(Timestamp),
          finished_at: Type.Optional(Timestamp),
          last_status: Type.Optional(Int32()),
          last_error: Type.Optional(Type.String()),
        }),
      ),
      next_page_id: Type.Optional(Type.String()),
      previous_page_id: Type.Optional(Type.String()),
    }),
  },
});

export const replayWebhookDeliveries = configurationAction({
  name: 'replay_webhook_deliveries',
  scopes: ['webhooks_write'],
  audit: false,
  summary: 'Resends a delivery, or all finished deliveries of a time range, with their original ids',
  body: Type.Object({
    delivery_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Start of the time range, inclusive' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'End of the time range, exclusive' })),
    webhook_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only with a time range' })),
  }),
  responses: { 200: Type.Object({ replayed: Int32() }) },
});
