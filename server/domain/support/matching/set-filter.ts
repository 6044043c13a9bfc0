import type { Values } from '../../page-sql.ts';

/** A filter for sets: any or all of some values, none of others, or any value at all. */
export interface SetFilter<T extends string | number> {
  values?: T[] | undefined;
  excludeValues?: T[] | undefined;
  requireEveryValue?: boolean | undefined;
  exists?: boolean | undefined;
}

/** Conditions on an SQL array; `type` is its item type. */
export const matchSet = (
  array: string,
  type: 'text' | 'int' | 'bigint',
  { values, excludeValues, requireEveryValue, exists }: SetFilter<string | number>,
  { add }: Values,
): string[] => {
  const conditions: string[] = [];
  if (values && values.length > 0)
    conditions.push(`${array} ${requireEveryValue ? '@>' : '&&'} ${add(values)}::${type}[]`);
  if (excludeValues && excludeValues.length > 0) conditions.push(`not ${array} && ${add(excludeValues)}::${type}[]`);
  if (exists !== undefined) conditions.push(`(cardinality(${array}) > 0) = ${add(exists)}`);
  return conditions;
};

export type PropertyFilters = Record<
  string,
  Record<
    string,
    { values?: unknown[] | undefined; excludeValues?: unknown[] | undefined; exists?: boolean | undefined }
  >
>;

/** Conditions on a properties column. */
export const matchProperties = (column: string, filters: PropertyFilters, { add }: Values): string[] =>
  Object.entries(filters).flatMap(([namespace, names]) =>
    Object.entries(names).flatMap(([name, { values, excludeValues, exists }]) => {
      const value = `${column} -> ${add(namespace)}::text -> ${add(name)}::text`;
      const isAmong = (list: unknown[]) =>
        `coalesce(${add(JSON.stringify(list))}::jsonb @> jsonb_build_array(${value}), false)`;
      const conditions: string[] = [];
      if (values && values.length > 0) conditions.push(isAmong(values));
      if (excludeValues && excludeValues.length > 0) conditions.push(`not ${isAmong(excludeValues)}`);
      if (exists !== undefined) conditions.push(`(${value} is not null) = ${add(exists)}`);
      return conditions;
    }),
  );
