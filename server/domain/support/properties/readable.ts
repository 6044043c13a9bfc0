import type { Properties } from '#server/storage/tables/chats.ts';
import type { PropertyAudience, PropertyLocation } from '#server/storage/tables/properties.ts';
import { allows, type Definitions, type PropertyNames } from './definitions.ts';
import { entriesOf, fromEntries } from './merge.ts';

/** Filters properties by audience. Agents see all of them, including undefined ones. */
export const readableProperties = (
  definitions: Definitions,
  audience: PropertyAudience,
  location: PropertyLocation,
  properties: Properties,
): Properties => {
  if (audience === 'agent' || Object.keys(properties).length === 0) return properties;
  const mayRead = (namespace: string, name: string): boolean =>
    allows(definitions.get(namespace)?.get(name), location, audience, 'read');
  return fromEntries(entriesOf(properties).filter(([namespace, name]) => mayRead(namespace, name)));
};

/** Does the same for names. */
export const readableNames = (
  definitions: Definitions,
  audience: PropertyAudience,
  location: PropertyLocation,
  names: PropertyNames,
): PropertyNames => {
  const asProperties = Object.entries(names).map(([namespace, own]) => [
    namespace,
    Object.fromEntries(own.map((name) => [name, true])),
  ]);
  const visible = readableProperties(definitions, audience, location, Object.fromEntries(asProperties));
  return Object.fromEntries(Object.entries(visible).map(([namespace, own]) => [namespace, Object.keys(own)]));
};
