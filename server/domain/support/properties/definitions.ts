import type {
  PropertyAccess,
  PropertyAudience,
  PropertyDomain,
  PropertyLocation,
  PropertyRange,
  PropertyRight,
  PropertyType,
} from '#server/storage/tables/properties.ts';
import type { Actor } from '../../access.ts';

export type { Properties } from '#server/storage/tables/chats.ts';
export type { PropertyLocation } from '#server/storage/tables/properties.ts';

export interface PropertyDefinition {
  type: PropertyType;
  access: PropertyAccess;
  /** The only values there are. */
  domain?: PropertyDomain;
  range?: PropertyRange;
  /** Of a text, in characters. */
  maxLength?: number;
}

/** By namespace and name. */
export type Definitions = ReadonlyMap<string, ReadonlyMap<string, PropertyDefinition>>;

/** Names by namespace: what a delete takes. */
export type PropertyNames = Record<string, string[]>;

/** Whoever is no customer works for the account. */
export const audienceOf = (actor: Actor): PropertyAudience =>
  actor.kind === 'customer' || actor.kind === 'visitor' ? 'customer' : 'agent';

export const allows = (
  definition: PropertyDefinition | undefined,
  location: PropertyLocation,
  audience: PropertyAudience,
  right: PropertyRight,
): boolean => definition?.access[location]?.[audience]?.includes(right) === true;
