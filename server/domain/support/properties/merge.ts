import { isDeepStrictEqual } from 'node:util';
import type { Properties } from '#server/storage/tables/chats.ts';
import type { PropertyNames } from './definitions.ts';

type Entry = [namespace: string, name: string, value: unknown];

export const entriesOf = (properties: Properties): Entry[] =>
  Object.entries(properties).flatMap(([namespace, names]) =>
    Object.entries(names).map(([name, value]): Entry => [namespace, name, value]),
  );

/** Omits empty namespaces. */
export const fromEntries = (entries: Entry[]): Properties => {
  const namespaces = Map.groupBy(entries, ([namespace]) => namespace);
  return Object.fromEntries(
    [...namespaces].map(([namespace, own]) => [
      namespace,
      Object.fromEntries(own.map(([, name, value]) => [name, value])),
    ]),
  );
};

export const propertyOf = (properties: Properties, namespace: string, name: string): unknown => {
  const names = Object.hasOwn(properties, namespace) ? properties[namespace]! : {};
  return Object.hasOwn(names, name) ? names[name] : undefined;
};

/** Returns the merged properties and those that are new or different. */
export const mergeProperties = (
  old: Properties,
  input: Properties,
): { properties: Properties; changed: Properties; count: number } => {
  const changed = entriesOf(input).filter(
    ([namespace, name, value]) => !isDeepStrictEqual(propertyOf(old, namespace, name), value),
  );
  const isUnchanged = ([namespace, name]: Entry): boolean => propertyOf(input, namespace, name) === undefined;
  const entries = [...entriesOf(old).filter(isUnchanged), ...entriesOf(input)];
  return { properties: fromEntries(entries), changed: fromEntries(changed), count: entries.length };
};

/** Returns the remaining properties and the names that existed. */
export const removeProperties = (
  old: Properties,
  input: PropertyNames,
): { properties: Properties; removed: PropertyNames } => {
  const isGiven = ([namespace, name]: Entry): boolean =>
    Object.hasOwn(input, namespace) && input[namespace]!.includes(name);
  const { left = [], gone = [] } = Object.groupBy(entriesOf(old), (entry) => (isGiven(entry) ? 'gone' : 'left'));
  const removed = Object.entries(fromEntries(gone)).map(([namespace, names]) => [namespace, Object.keys(names)]);
  return { properties: fromEntries(left), removed: Object.fromEntries(removed) };
};
