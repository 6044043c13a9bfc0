import type { DeliveryState } from '#server/storage/tables/webhooks.ts';
import { requireAdministrator } from '../../access.ts';
import { notFound } from '../../errors.ts';
import { type PageInput, readingOrder, resolvePage, slicePage } from '../../paging.ts';
import type { OrganizationScope } from '../../scope.ts';
import { DELIVERY_COLUMNS, type DeliveryRecord, toDelivery } from './records.ts';

const DEFAULT_LIMIT = 25;
const LIST = 'webhook_deliveries';

export interface DeliveryFilters {
  webhookId?: string | undefined;
  state?: DeliveryState | undefined;
}

export interface DeliveryPage {
  items: DeliveryRecord[];
  nextPageId?: string;
  previousPageId?: string;
}

const assertWebhook = async (scope: OrganizationScope, id: string): Promise<void> => {
  if (!(await scope.from('webhooks').where('id', '=', id).select('id').executeTakeFirst())) throw notFound('Webhook');
};

/** The delivery log: pending, delivered and failed deliveries, newest first. */
export const listDeliveries = async (
  scope: OrganizationScope,
  input: PageInput<DeliveryFilters>,
): Promise<DeliveryPage> => {
  requireAdministrator(scope.actor);
  const state = resolvePage(scope, LIST, input, DEFAULT_LIMIT);
  const { webhookId, state: only } = state.filters;
  if (webhookId !== undefined) await assertWebhook(scope, webhookId);
  const order = readingOrder(state);
  let query = scope
    .from('webhookDeliveries')
    .orderBy('createdAt', order)
    .orderBy('id', order)
    .limit(state.limit + 1);
  if (webhookId !== undefined) query = query.where('webhookId', '=', webhookId);
  if (only !== undefined) query = query.where('state', '=', only);
  if (state.cursor) {
    const { at, id } = state.cursor;
    query = query.where((eb) =>
      eb(eb.refTuple('createdAt', 'id'), order === 'asc' ? '>' : '<', eb.tuple(new Date(at), id)),
    );
  }
  const rows = await query.select(DELIVERY_COLUMNS).execute();
  const cursorOf = ({ createdAt, id }: (typeof rows)[number]) => ({ at: createdAt.toISOString(), id });
  const { rows: found, ...neighbors } = slicePage(scope, LIST, state, rows, cursorOf);
  return { ...neighbors, items: found.map(toDelivery) };
};

export type ReplayInput = { deliveryId: string } | { from: Date; to: Date; webhookId?: string | undefined };

/** Sends delivered and failed deliveries again under the same ids; pending ones are not changed. */
export const replayDeliveries = async (scope: OrganizationScope, input: ReplayInput): Promise<{ count: number }> => {
  requireAdministrator(scope.actor);
  const again = scope
    .update('webhookDeliveries')
    .where('state', '<>', 'pending')
    .set({ state: 'pending', attempts: 0, nextAttemptAt: scope.now(), finishedAt: null });
  if ('deliveryId' in input) {
    const { deliveryId } = input;
    const existing = scope.from('webhookDeliveries').where('id', '=', deliveryId).select('id');
    if (!(await existing.executeTakeFirst())) throw notFound('Delivery');
    const { numUpdatedRows } = await again.where('id', '=', deliveryId).executeTakeFirst();
    return { count: Number(numUpdatedRows) };
  }
  if (input.webhookId !== undefined) await assertWebhook(scope, input.webhookId);
  const ranged = again.where('createdAt', '>=', input.from).where('createdAt', '<', input.to);
  const { numUpdatedRows } = await (input.webhookId === undefined
    ? ranged
    : ranged.where('webhookId', '=', input.webhookId)
  ).executeTakeFirst();
  return { count: Number(numUpdatedRows) };
};
