import * as contract from '#contracts/chat-ops/webhooks.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import {
  type ChatOpsWebhook,
  createChatOpsWebhook,
  deleteChatOpsWebhook,
  listChatOpsWebhooks,
} from '#server/domain/support/webhooks/chat-ops-webhooks.ts';
import { type Route, route } from '#server/http/route.ts';

const agentRoute = route<OrganizationScope>();

const present = ({ id, license, eventType, dataTypes, url, verified, token }: ChatOpsWebhook): contract.Webhook => ({
  id,
  licence: license,
  event_type: eventType,
  data_types: dataTypes,
  url,
  verified,
  ...(token === undefined ? {} : { token }),
});

export const webhookRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listWebhooks, async ({ scope }) => ({ events: (await listChatOpsWebhooks(scope)).map(present) })),
  agentRoute(contract.createWebhook, async ({ body: { event_type, data_types, url }, scope }) => ({
    events: [present(await createChatOpsWebhook(scope, { eventType: event_type, dataTypes: data_types, url }))],
  })),
  agentRoute(contract.deleteWebhook, async ({ params, scope }) => {
    await deleteChatOpsWebhook(scope, params);
    return { result: 'Push notification removed successfully' };
  }),
];
