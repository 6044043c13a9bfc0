import { visibleGroups } from '../access.ts';
import { DomainError } from '../errors.ts';
import { matchProperties, type PropertyFilters } from '../matching/set-filter.ts';
import { cutPage, isFirstPage, type PageInput, type PageState, readPage } from '../paging.ts';
import { readTogether } from '../read-lanes.ts';
import type { OrganizationScope } from '../scope.ts';
import { type EventPointer, type LastEvent, loadLastEvents } from './known-events.ts';
import { openValues, pageOf, type Values } from './page-sql.ts';
import {
  CHAT_IN_LIST,
  JOIN_PRESENCE,
  joinCustomer,
  READER,
  readerOf,
  readUsers,
  USERS,
  type UserColumns,
} from './read-sql.ts';
import type { ChatSummary, Page } from './records.ts';

export interface ChatFilters {
  includeActive?: boolean | undefined;
  groupIds?: number[] | undefined;
  properties?: PropertyFilters | undefined;
}

interface Row extends UserColumns, Omit<ChatSummary, 'users' | 'lastEventPerType'> {
  lastEvents: Record<string, EventPointer>;
  total: number;
}

const DEFAULT_LIMIT = 10;
/** The total is an estimate by the document; nobody leafs through more, and counting them would cost more than the page. */
const MOST_COUNTED = 1_000;

const SUMMARY = `${CHAT_IN_LIST}, c.last_events as "lastEvents", ${USERS}`;

const NEWEST_OF_CUSTOMER = {
  name: 'list_chats_of_customer',
  text: `
select w.n, ${SUMMARY}, counted.total
from json_to_recordset($1) as w(n int, organization_id uuid, sees_notes boolean, customer_id uuid, most int)
cross join lateral (
  select count(*)::int as total from (
    select from chats o where o.organization_id = w.organization_id and o.customer_id = w.customer_id limit ${MOST_COUNTED}
  ) first_ones
) counted
${joinCustomer('w')}
cross join lateral (
  select * from chats o
  where o.organization_id = w.organization_id and o.customer_id = w.customer_id and not o.anonymized
  order by o.last_thread_created_at desc, o.id desc limit w.most
) c
${JOIN_PRESENCE}
order by w.n, c.last_thread_created_at desc, c.id desc`,
};

const sharesGroup = (groupIds: string): string => `c.group_ids && ${groupIds}::int[]`;

/** Those that the actor may see: a customer its own, an agent those of its groups and those it is in. */
const ownChats = ({ actor }: OrganizationScope, { add }: Values): string[] => {
  if (actor.kind === 'customer') return [`c.customer_id = ${add(actor.id)}`];
  if (actor.kind !== 'agent') throw new DomainError('forbidden', 'You may not list chats');
  const groups = visibleGroups(actor);
  if (!groups) return [];
  return [
    `(${sharesGroup(add(groups))} or exists (
      select from chat_users mine where mine.organization_id = $1 and mine.chat_id = c.id and mine.kind = 'agent'
        and mine.user_id = ${add(actor.id)} and mine.present))`,
  ];
};

const filtersOf = ({ includeActive, groupIds, properties }: ChatFilters, values: Values): string[] => [
  ...(includeActive === false ? ['not c.active'] : []),
  ...(groupIds ? [sharesGroup(values.add(groupIds))] : []),
  ...(properties ? matchProperties('c.properties', properties, values) : []),
];

/** What every widget asks when it opens. */
const newestOfCustomer = (scope: OrganizationScope, customerId: string, limit: number): Promise<Row[]> =>
  readTogether<Row>(scope, NEWEST_OF_CUSTOMER, { sees_notes: false, customer_id: customerId, most: limit + 1 });

const readRows = async (scope: OrganizationScope, state: PageState<ChatFilters>): Promise<Row[]> => {
  const { actor } = scope;
  if (actor.kind === 'customer' && isFirstPage(state)) return newestOfCustomer(scope, actor.id, state.limit);
  const given = openValues(...readerOf(scope));
  const listed = [
    'c.organization_id = $1',
    'not c.anonymized',
    ...ownChats(scope, given),
    ...filtersOf(state.filters, given),
  ];
  const { from, inOrder } = pageOf(state, { at: 'c.last_thread_created_at', id: 'c.id' }, given);
  const where = listed.join(' and ');
  const text = `
select ${SUMMARY}, (select count(*)::int from chats c where ${where}) as total
from chats c cross join ${READER} ${joinCustomer('c')} ${JOIN_PRESENCE} where ${where} ${from} ${inOrder}`;
  return (await scope.executor.query<Row>({ text, values: given.values })).rows;
};

const toSummary = (row: Row, lastEventOf: (pointer: EventPointer) => LastEvent | undefined): ChatSummary => {
  const { id, customerId, groupIds, properties, active, lastThreadId, lastThreadCreatedAt } = row;
  const lastEventPerType: ChatSummary['lastEventPerType'] = {};
  for (const [type, pointer] of Object.entries(row.lastEvents)) {
    const last = lastEventOf(pointer);
    if (last) lastEventPerType[type] = last;
  }
  const chat = { id, customerId, groupIds, properties, active, lastThreadId, lastThreadCreatedAt };
  return { ...chat, users: readUsers(row), lastEventPerType };
};

export const listChats = async (
  scope: OrganizationScope,
  input: PageInput<ChatFilters>,
): Promise<Page<ChatSummary>> => {
  const state = readPage(scope, 'chats', input, DEFAULT_LIMIT);
  const found = await readRows(scope, state);
  const { rows, ...neighbours } = cutPage(scope, 'chats', state, found, (row) => ({
    at: row.lastThreadCreatedAt.toISOString(),
    id: row.id,
  }));
  const lastEventOf = await loadLastEvents(
    scope,
    rows.flatMap(({ lastEvents }) => Object.values(lastEvents)),
  );
  return { items: rows.map((row) => toSummary(row, lastEventOf)), total: found[0]?.total ?? 0, ...neighbours };
};
