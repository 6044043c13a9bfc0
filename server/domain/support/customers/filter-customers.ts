import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '#server/storage/tables/index.ts';
import { isUuid } from '../../ids.ts';
import {
  agentLastEventAt,
  chatsCount,
  chatsIn,
  customerLastEventAt,
  hasChats,
  threadsCount,
} from './customer-columns.ts';

export interface ValuesFilter<T> {
  values?: T[] | undefined;
  excludeValues?: T[] | undefined;
}

/** Dates are ISO text, since they are stored in a `page_id` too. */
export interface RangeFilter<T> {
  lt?: T | undefined;
  lte?: T | undefined;
  gt?: T | undefined;
  gte?: T | undefined;
  eq?: T | undefined;
}

export interface CustomerFilters {
  country?: ValuesFilter<string> | undefined;
  email?: ValuesFilter<string> | undefined;
  name?: ValuesFilter<string> | undefined;
  customerId?: ValuesFilter<string> | undefined;
  chatGroupIds?: ValuesFilter<number> | undefined;
  chatsCount?: RangeFilter<number> | undefined;
  threadsCount?: RangeFilter<number> | undefined;
  visitsCount?: RangeFilter<number> | undefined;
  createdAt?: RangeFilter<string> | undefined;
  agentLastEventAt?: RangeFilter<string> | undefined;
  customerLastEventAt?: RangeFilter<string> | undefined;
  /** Default: true. */
  includeWithoutChats?: boolean | undefined;
}

export type CustomerQuery = SelectQueryBuilder<Tables, 'customers', object>;

const OPERATORS = { lt: '<', lte: '<=', gt: '>', gte: '>=', eq: '=' } as const;

const inRange = (
  query: CustomerQuery,
  column: RawBuilder<unknown>,
  range: RangeFilter<number | string> | undefined,
  type: 'int' | 'timestamptz',
): CustomerQuery => {
  let result = query;
  for (const [name, operator] of Object.entries(OPERATORS)) {
    const bound = range?.[name as keyof typeof OPERATORS];
    if (bound !== undefined)
      result = result.where(sql<boolean>`${column} ${sql.raw(operator)} ${bound}::${sql.raw(type)}`);
  }
  return result;
};

type Matches<T> = (values: T[]) => RawBuilder<boolean>;

/** Customers without a value match `excludeValues` but not `values`. */
const byValues = <T>(
  query: CustomerQuery,
  { values, excludeValues }: ValuesFilter<T> = {},
  matches: Matches<T>,
): CustomerQuery => {
  const among = values ? query.where(matches(values)) : query;
  return excludeValues ? among.where(sql<boolean>`${matches(excludeValues)} is not true`) : among;
};

/** The index excludes null values, so the condition must repeat that. */
const hasText =
  (name: 'name' | 'email'): Matches<string> =>
  (values) => {
    const column = sql.ref(`customers.${name}`);
    const wanted = values.map((value) => value.toLowerCase());
    return sql<boolean>`(${column} is not null and lower(${column}) = any(${wanted}::text[]))`;
  };

/** Texts that are not ids match no customer. */
const hasId: Matches<string> = (ids) => sql<boolean>`customers.id = any(${ids.filter(isUuid)}::uuid[])`;

/** Matches the country of the last visit by English name or code. */
const hasCountry: Matches<string> = (names) => sql<boolean>`exists (
  select from visits v
  where v.organization_id = customers.organization_id and v.customer_id = customers.id
    and v.number = customers.visits_count
    and array[lower(v.place ->> 'country'), lower(v.place ->> 'countryCode')]
      && ${names.map((name) => name.toLowerCase())}::text[])`;

export const filterCustomers = (query: CustomerQuery, filters: CustomerFilters): CustomerQuery => {
  let result = byValues(query, filters.customerId, hasId);
  result = byValues(result, filters.email, hasText('email'));
  result = byValues(result, filters.name, hasText('name'));
  result = byValues(result, filters.country, hasCountry);
  result = byValues(result, filters.chatGroupIds, chatsIn);
  result = inRange(result, sql`customers.created_at`, filters.createdAt, 'timestamptz');
  result = inRange(result, sql`customers.visits_count`, filters.visitsCount, 'int');
  result = inRange(result, chatsCount, filters.chatsCount, 'int');
  result = inRange(result, threadsCount, filters.threadsCount, 'int');
  result = inRange(result, agentLastEventAt, filters.agentLastEventAt, 'timestamptz');
  result = inRange(result, customerLastEventAt, filters.customerLastEventAt, 'timestamptz');
  return filters.includeWithoutChats === false ? result.where(hasChats) : result;
};
