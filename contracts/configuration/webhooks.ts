import { Type } from 'typebox';
import { Empty, Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { configurationAction } from './operation.ts';

const WebhookId = Type.String({ minLength: 1, maxLength: 100 });
const ClientId = Type.String({ minLength: 1, maxLength: 200 });
const AuthorType = oneOf('customer', 'agent');
const AdditionalData = Type.Array(oneOf('chat_properties', 'chat_presence_user_ids'), { maxItems: 10 });
const WebhookType = oneOf('license', 'bot');

/** Filters that only name what they are: a receiver must not believe that it is spared something. */
const Unsupported = Type.Optional(Nullable(Type.Unknown({ description: 'Refused' })));

const WebhookFilters = Type.Object({
  author_type: Type.Optional(
    Nullable(Type.Unsafe<'customer' | 'agent'>({ ...AuthorType, description: 'Only events of such an author' })),
  ),
  only_my_chats: Unsupported,
  chat_presence: Unsupported,
  source_type: Unsupported,
});

export const registerWebhook = configurationAction({
  name: 'register_webhook',
  scopes: ['webhooks_write'],
  summary: 'Tells an address of each happening of a kind; at most three for one action and client',
  body: Type.Object({
    action: Type.String({ minLength: 1, maxLength: 100, examples: ['incoming_event'] }),
    url: Type.String({ format: 'uri', maxLength: 500 }),
    secret_key: Type.String({ minLength: 1, maxLength: 500, description: 'Travels in each body and signs it' }),
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
  summary: 'The webhooks of the organization, or of one client',
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
  summary: 'Removes a webhook and its log',
  body: Type.Object({ id: WebhookId, owner_client_id: Type.Optional(Nullable(ClientId)) }),
  responses: { 200: Empty },
});

export const enableWebhook = configurationAction({
  name: 'enable_webhook',
  scopes: ['webhooks_write'],
  summary: 'Tells it again',
  body: Type.Object({ id: WebhookId }),
  responses: { 200: Empty },
});

export const disableWebhook = configurationAction({
  name: 'disable_webhook',
  scopes: ['webhooks_write'],
  summary: 'Tells it nothing until it is enabled; what was written before waits',
  body: Type.Object({ id: WebhookId }),
  responses: { 200: Empty },
});

const State = oneOf('pending', 'delivered', 'failed');

export const listWebhookDeliveries = configurationAction({
  name: 'list_webhook_deliveries',
  scopes: ['webhooks_read'],
  reads: true,
  summary: 'What was sent, what waits and what was given up, newest first; two weeks back',
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
          id: Type.String({ description: 'The header `X-Parley-Delivery` of each attempt' }),
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
  summary: 'Sends again under the same ids: one delivery, or those of a time range that are not waiting',
  body: Type.Object({
    delivery_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'When it happened; included' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Not included' })),
    webhook_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only with a time range' })),
  }),
  responses: { 200: Type.Object({ replayed: Int32() }) },
});
