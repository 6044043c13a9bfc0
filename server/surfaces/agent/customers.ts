import * as contract from '#contracts/agent/customers.ts';
import type { BodyOf } from '#contracts/operation.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { addCustomer } from '#server/domain/support/customers/add-customer.ts';
import { addBan, liftBan } from '#server/domain/support/customers/bans.ts';
import type { RangeFilter, ValuesFilter } from '#server/domain/support/customers/filter-customers.ts';
import { followCustomer, unfollowCustomer } from '#server/domain/support/customers/follow-customer.ts';
import {
  getCustomerDetails,
  type ListedCustomers,
  listCustomers,
} from '#server/domain/support/customers/list-customers.ts';
import { setSessionFields } from '#server/domain/support/customers/session-fields.ts';
import { updateCustomer } from '#server/domain/support/customers/update-customer.ts';
import { type Action, action } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { readTimestamp } from '#server/surfaces/chat-v3/parse-event.ts';
import { presentNeighbours } from '#server/surfaces/chat-v3/present-chat.ts';
import { presentDetails } from '#server/surfaces/chat-v3/present-customer.ts';

type Filters = NonNullable<BodyOf<typeof contract.listCustomers>['filters']>;

interface WireValues<T> {
  values?: T[] | null;
  exclude_values?: T[] | null;
}

const readValues = <T>(filter: WireValues<T> | null | undefined): ValuesFilter<T> | undefined =>
  filter ? { values: filter.values ?? undefined, excludeValues: filter.exclude_values ?? undefined } : undefined;

type WireRange<T> = { [K in keyof RangeFilter<T>]?: T | null };

const readRange = <T extends number | string>(
  range: WireRange<T> | null | undefined,
  read: (bound: T) => T = (bound) => bound,
): RangeFilter<T> | undefined =>
  range
    ? (Object.fromEntries(
        Object.entries(range).flatMap(([name, bound]) => (bound == null ? [] : [[name, read(bound as T)]])),
      ) as RangeFilter<T>)
    : undefined;

const readTimes = (field: string, range: WireRange<string> | null | undefined) =>
  readRange(range, (text) => readTimestamp(`filters.${field}`, text).toISOString());

const readFilters = (filters: Filters): ListedCustomers => ({
  country: readValues(filters.country),
  email: readValues(filters.email),
  name: readValues(filters.name),
  customerId: readValues(filters.customer_id),
  chatGroupIds: readValues(filters.chat_group_ids),
  chatsCount: readRange(filters.chats_count),
  threadsCount: readRange(filters.threads_count),
  visitsCount: readRange(filters.visits_count),
  createdAt: readTimes('created_at', filters.created_at),
  agentLastEventAt: readTimes('agent_last_event_created_at', filters.agent_last_event_created_at),
  customerLastEventAt: readTimes('customer_last_event_created_at', filters.customer_last_event_created_at),
  includeWithoutChats: filters.include_customers_without_chats ?? undefined,
});

const readDetails = (body: BodyOf<typeof contract.createCustomer>) => ({
  name: body.name || undefined,
  email: body.email || undefined,
  avatar: body.avatar || undefined,
  sessionFields: body.session_fields ?? undefined,
});

const agentAction = action<OrganizationScope>();

export const customerActions: Action<OrganizationScope>[] = [
  agentAction(contract.getCustomer, async ({ body, scope }) => {
    const { chatIds, visitorDetails, ...customer } = await getCustomerDetails(scope, { customerId: body.id });
    const visitor_details = visitorDetails.map(({ updatedAt, ...set }) => ({
      ...set,
      updated_at: toTimestamp(updatedAt),
    }));
    return { ...presentDetails(customer), chat_ids: chatIds, visitor_details };
  }),
  agentAction(contract.listCustomers, async ({ body, scope }) => {
    const page = await listCustomers(scope, {
      pageId: body.page_id,
      limit: body.limit,
      order: body.sort_order,
      filters: { ...readFilters(body.filters ?? {}), sortBy: body.sort_by },
      filtered: body.sort_by !== undefined || Object.keys(body.filters ?? {}).length > 0,
    });
    return {
      customers: page.items.map(presentDetails),
      total_customers: page.total,
      ...presentNeighbours(page),
    };
  }),
  agentAction(contract.createCustomer, async ({ body, scope }) => ({
    customer_id: await addCustomer(scope, readDetails(body)),
  })),
  agentAction(contract.updateCustomer, async ({ body, scope }) => {
    await updateCustomer(scope, { customerId: body.id, ...readDetails(body) });
    return {};
  }),
  agentAction(contract.setCustomerSessionFields, async ({ body, scope }) => {
    await setSessionFields(scope, { customerId: body.id, sessionFields: body.session_fields });
    return {};
  }),
  agentAction(contract.banCustomer, async ({ body, scope }) => {
    await addBan(scope, { customerId: body.id, days: body.ban.days });
    return {};
  }),
  agentAction(contract.unbanCustomer, async ({ body, scope }) => {
    await liftBan(scope, { customerId: body.id ?? undefined, ip: body.ip ?? undefined });
    return {};
  }),
  agentAction(contract.followCustomer, async ({ body, scope }) => {
    await followCustomer(scope, { customerId: body.id });
    return {};
  }),
  agentAction(contract.unfollowCustomer, async ({ body, scope }) => {
    await unfollowCustomer(scope, { customerId: body.id });
    return {};
  }),
];
