import { visibleGroups } from '../../../access.ts';
import { DomainError } from '../../../errors.ts';
import { openValues, pageOf, type Values } from '../../../page-sql.ts';
import { isFirstPage, type PageInput, type PageState, resolvePage, slicePage } from '../../../paging.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { matchProperties, type PropertyFilters } from '../../matching/set-filter.ts';
import type { ChatSummary, Page } from '../records.ts';
import { readNewestChats } from './read-newest-chats.ts';
import { JOIN_PRESENCE, joinCustomer, READER, readerOf } from './read-sql.ts';
import { readThroughCache } from './response-cache.ts';
import { readSummaries, SUMMARY, type SummaryRow } from './summary-rows.ts';

export interface ChatFilters {
  includeActive?: boolean | undefined;
  includeArchived?: boolean | undefined;
  groupIds?: number[] | undefined;
  properties?: PropertyFilters | undefined;
}

type Row = SummaryRow & { total: number };

const DEFAULT_LIMIT = 10;

const sharesGroup = (groupIds: string): string => `c.group_ids && ${groupIds}::int[]`;

/**
 * Restricts to the chats that the actor may see: customers their own, agents those of their groups and those they are
 * in.
 */
const visibleChats = ({ actor }: OrganizationScope, { add }: Values): string[] => {
  if (actor.kind === 'customer') return [`c.customer_id = ${add(actor.id)}`];
  if (actor.kind !== 'agent') throw new DomainError('forbidden', 'You do not have permission to list chats');
  const groups = visibleGroups(actor);
  if (!groups) return [];
  return [
    `(${sharesGroup(add(groups))} or exists (
      select from chat_users mine where mine.organization_id = $1 and mine.chat_id = c.id and mine.kind = 'agent'
        and mine.user_id = ${add(actor.id)} and mine.present))`,
  ];
};

const filtersOf = ({ includeActive, includeArchived, groupIds, properties }: ChatFilters, values: Values): string[] => [
  ...(includeActive === false ? ['not c.active'] : []),
  ...(includeArchived === false ? ['c.active'] : []),
  ...(groupIds ? [sharesGroup(values.add(groupIds))] : []),
  ...(properties ? matchProperties('c.properties', properties, values) : []),
];

const readRows = async (scope: OrganizationScope, state: PageState<ChatFilters>): Promise<Row[]> => {
  const values = openValues(...readerOf(scope));
  const listed = [
    'c.organization_id = $1',
    'not c.anonymized',
    ...visibleChats(scope, values),
    ...filtersOf(state.filters, values),
  ];
  const { from, inOrder } = pageOf(state, { at: 'c.last_thread_created_at', id: 'c.id' }, values);
  const where = listed.join(' and ');
  const text = `
select ${SUMMARY}, (select count(*)::int from chats c where ${where}) as total
from chats c cross join ${READER} ${joinCustomer('c')} ${JOIN_PRESENCE} where ${where} ${from} ${inOrder}`;
  return (await scope.executor.query<Row>({ text, values: values.values })).rows;
};

const toPage = async (
  scope: OrganizationScope,
  state: PageState<ChatFilters>,
  found: SummaryRow[],
  total: number,
): Promise<Page<ChatSummary>> => {
  const { rows, ...neighbors } = slicePage(scope, 'chats', state, found, (row) => ({
    at: row.lastThreadCreatedAt.toISOString(),
    id: row.id,
  }));
  return { items: await readSummaries(scope, rows), total, ...neighbors };
};

const listNewest = (scope: OrganizationScope, customerId: string, state: PageState<ChatFilters>) =>
  readThroughCache(scope, `list_chats ${state.limit}`, async (cached) => {
    const newest = await readNewestChats(scope, customerId, state.limit + 1, cached);
    if (!newest) return undefined;
    return { version: newest.version, record: await toPage(scope, state, newest.rows, newest.total) };
  });

export const listChats = async (
  scope: OrganizationScope,
  input: PageInput<ChatFilters>,
): Promise<Page<ChatSummary>> => {
  const { actor } = scope;
  const state = resolvePage(scope, 'chats', input, DEFAULT_LIMIT);
  if (actor.kind === 'customer' && isFirstPage(state)) return listNewest(scope, actor.id, state);
  const rows = await readRows(scope, state);
  return toPage(scope, state, rows, rows[0]?.total ?? 0);
};
