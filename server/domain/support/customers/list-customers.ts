import { type RawBuilder, sql } from 'kysely';
import { requireAgent, visibleGroups } from '../../access.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import { type Cursor, type PageInput, type PageState, readingOrder, resolvePage, slicePage } from '../../paging.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { Page } from '../chats/records.ts';
import { listVisitorDetails, type VisitorDetails } from '../visits/visitor-details.ts';
import { agentLastEventAt, customerLastEventAt, threadsCount } from './customer-columns.ts';
import { findDetails, readDetails } from './details.ts';
import { type CustomerFilters, type CustomerQuery, filterCustomers } from './filter-customers.ts';
import type { CustomerDetails } from './records.ts';

export type CustomerSort = 'created_at' | 'threads_count' | 'visits_count' | 'agent_last_event' | 'customer_last_event';

export interface ListedCustomers extends CustomerFilters {
  /** Default: `created_at`. */
  sortBy?: CustomerSort | undefined;
}

const DEFAULT_LIMIT = 10;
const MAX_CHATS = 100;

const never = sql`to_timestamp(0)`;

/** Sort keys. Customers without such an event come first. */
const keys: Record<CustomerSort, { key: RawBuilder<unknown>; type: 'int' | 'timestamptz' }> = {
  created_at: { key: sql`customers.created_at`, type: 'timestamptz' },
  threads_count: { key: threadsCount, type: 'int' },
  visits_count: { key: sql`customers.visits_count`, type: 'int' },
  agent_last_event: { key: sql`coalesce(${agentLastEventAt}, ${never})`, type: 'timestamptz' },
  customer_last_event: { key: sql`coalesce(${customerLastEventAt}, ${never})`, type: 'timestamptz' },
};

const pageOf = (query: CustomerQuery, state: PageState<ListedCustomers>): RawBuilder<unknown> => {
  const order = readingOrder(state);
  const { cursor, filters } = state;
  const { key, type } = keys[filters.sortBy ?? 'created_at'];
  const from = cursor
    ? query.where(
        sql<boolean>`(${key}, customers.id) ${sql.raw(order === 'asc' ? '>' : '<')} (${cursor.at}::${sql.raw(type)}, ${cursor.id}::uuid)`,
      )
    : query;
  return sql`${from
    .select(['customers.id', sql`${key}`.as('key')])
    .orderBy(sql`key`, order)
    .orderBy('customers.id', order)
    .limit(state.limit + 1)}`;
};

const cursorOf = ({ key, customer }: { key: Date | number; customer: CustomerDetails }): Cursor => ({
  at: key instanceof Date ? key.toISOString() : String(key),
  id: customer.id,
});

/** Every agent may see every customer, but not every chat. */
export const listCustomers = async (
  scope: OrganizationScope,
  input: PageInput<ListedCustomers>,
): Promise<Page<CustomerDetails>> => {
  requireAgent(scope.actor);
  const state = resolvePage(scope, 'customers', input, DEFAULT_LIMIT);
  const query = filterCustomers(scope.from('customers'), state.filters);
  const [found, { total }] = await Promise.all([
    readDetails(scope, pageOf(query, state), readingOrder(state)),
    query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const { rows, ...neighbors } = slicePage(scope, 'customers', state, found, cursorOf);
  return { items: rows.map(({ customer }) => customer), total, ...neighbors };
};

/** The latest chats of the customer that the agent may see. */
const listChatIds = async (scope: OrganizationScope, customerId: string): Promise<string[]> => {
  const agent = requireAgent(scope.actor);
  const groups = visibleGroups(agent);
  const own = scope.from('chats').where('customerId', '=', customerId).where('anonymized', '=', false);
  const visible = groups
    ? own.where(sql<boolean>`(chats.group_ids && ${groups}::int[] or exists (
        select from chat_users u
        where u.organization_id = chats.organization_id and u.chat_id = chats.id
          and u.kind = 'agent' and u.user_id = ${agent.id} and u.present))`)
    : own;
  const rows = await visible
    .orderBy('lastThreadCreatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_CHATS)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
};

export const getCustomerDetails = async (
  scope: OrganizationScope,
  { customerId }: { customerId: string },
): Promise<CustomerDetails & { chatIds: string[]; visitorDetails: VisitorDetails[] }> => {
  requireAgent(scope.actor);
  const details = isUuid(customerId) ? await findDetails(scope, customerId) : undefined;
  if (!details) throw notFound('Customer');
  const [chatIds, visitorDetails] = await Promise.all([
    listChatIds(scope, details.id),
    listVisitorDetails(scope, details.id),
  ]);
  return { ...details, chatIds, visitorDetails };
};
