import { type Static, Type } from 'typebox';
import { Int32, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { jsonp, Result } from './values.ts';

const EventType = oneOf('chat_started', 'chat_ended', 'visitor_queued', 'ticket_created');
const DataType = oneOf('chat', 'pre_chat_survey', 'visitor', 'ticket');

export const Webhook = Type.Object({
  id: Type.String(),
  licence: Int32(),
  event_type: EventType,
  data_types: Type.Array(DataType),
  url: Type.String(),
  verified: Type.Boolean({ description: 'Whether the URL has accepted a message' }),
  token: Type.Optional(
    Type.String({ description: 'Included in each message; visible only to the owner and administrators' }),
  ),
});
export type Webhook = Static<typeof Webhook>;

const Webhooks = Type.Object({ events: Type.Array(Webhook) });

export const listWebhooks = chatOpsOperation({
  name: 'list_webhooks',
  scopes: ['webhooks_read'],
  method: 'GET',
  path: '/webhooks',
  summary: 'Lists webhooks',
  query: Type.Object(jsonp),
  responses: { 200: Webhooks },
});

export const createWebhook = chatOpsOperation({
  name: 'create_webhook',
  scopes: ['webhooks_write'],
  method: 'POST',
  path: '/webhooks',
  audit: true,
  summary: 'Sends each event of a type to a URL',
  description:
    '`chat` and `pre_chat_survey` are available for `chat_started` and `chat_ended`, `visitor` also for `visitor_queued`, and `ticket` only for `ticket_created`.',
  body: Type.Object({
    event_type: EventType,
    data_types: Type.Array(DataType, { minItems: 1, maxItems: 10 }),
    url: Type.String({ format: 'uri', maxLength: 500, examples: ['https://example.com/hook'] }),
  }),
  responses: { 200: Webhooks },
});

export const deleteWebhook = chatOpsOperation({
  name: 'delete_webhook',
  scopes: ['webhooks_write'],
  method: 'DELETE',
  path: '/webhooks/:id',
  audit: true,
  summary: 'Deletes a webhook and its unsent messages',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
  responses: { 200: Result },
});

export const webhookOperations = [listWebhooks, createWebhook, deleteWebhook];
