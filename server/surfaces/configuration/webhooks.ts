import * as contract from '#contracts/configuration/webhooks.ts';
import type { BodyOf } from '#contracts/operation.ts';
import { invalid } from '#server/domain/errors.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listDeliveries, type ReplayInput, replayDeliveries } from '#server/domain/support/webhooks/deliveries.ts';
import {
  listWebhooks,
  registerWebhook,
  setWebhookEnabled,
  unregisterWebhook,
} from '#server/domain/support/webhooks/register.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentNeighbours } from '#server/surfaces/chat-v3/present-chat.ts';
import { presentDelivery, presentWebhook } from './present.ts';

const readFilters = (filters: BodyOf<typeof contract.registerWebhook>['filters']) => {
  const { author_type: authorType, ...others } = filters ?? {};
  for (const name of ['only_my_chats', 'chat_presence', 'source_type'] as const)
    if (others[name] != null) throw invalid(`filters.${name}`, 'is not supported');
  return { authorType: authorType ?? undefined };
};

const readReplay = (body: BodyOf<typeof contract.replayWebhookDeliveries>): ReplayInput => {
  const { delivery_id: deliveryId, from, to, webhook_id: webhookId } = body;
  const isRange = from !== undefined || to !== undefined || webhookId !== undefined;
  if (deliveryId !== undefined) {
    if (isRange) throw invalid('delivery_id', 'cannot be combined with a time range');
    return { deliveryId };
  }
  if (from === undefined || to === undefined) throw invalid('delivery_id', 'or `from` and `to` are required');
  return { from: new Date(from), to: new Date(to), webhookId };
};

export const webhookRoutes: Route<OrganizationScope>[] = [
  route<OrganizationScope>()(contract.registerWebhook, ({ body, scope }) =>
    registerWebhook(scope, {
      action: body.action,
      url: body.url,
      secretKey: body.secret_key,
      ownerClientId: body.owner_client_id,
      type: body.type,
      description: body.description ?? undefined,
      ...readFilters(body.filters),
      additionalData: body.additional_data ?? [],
    }),
  ),
  route<OrganizationScope>()(contract.listWebhooks, async ({ body, scope }) => {
    const found = await listWebhooks(scope, { ownerClientId: body.owner_client_id ?? undefined });
    return found.map(presentWebhook);
  }),
  route<OrganizationScope>()(contract.unregisterWebhook, async ({ body, scope }) => {
    await unregisterWebhook(scope, { id: body.id, ownerClientId: body.owner_client_id ?? undefined });
    return {};
  }),
  route<OrganizationScope>()(contract.enableWebhook, async ({ body, scope }) => {
    await setWebhookEnabled(scope, { id: body.id, enabled: true });
    return {};
  }),
  route<OrganizationScope>()(contract.disableWebhook, async ({ body, scope }) => {
    await setWebhookEnabled(scope, { id: body.id, enabled: false });
    return {};
  }),
  route<OrganizationScope>()(contract.listWebhookDeliveries, async ({ body, scope }) => {
    const { webhook_id: webhookId, state } = body;
    const page = await listDeliveries(scope, {
      pageId: body.page_id,
      limit: body.limit,
      filters: { webhookId, state },
      filtered: webhookId !== undefined || state !== undefined,
    });
    return { deliveries: page.items.map(presentDelivery), ...presentNeighbours(page) };
  }),
  route<OrganizationScope>()(contract.replayWebhookDeliveries, async ({ body, scope }) => {
    const { count } = await replayDeliveries(scope, readReplay(body));
    return { replayed: count };
  }),
];
