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
  /** The allowed values. */
  domain?: PropertyDomain;
  range?: PropertyRange;
  /** Maximum length of a text. */
  maxLength?: number;
}

export type Definitions = ReadonlyMap<string, ReadonlyMap<string, PropertyDefinition>>;

/** Names by namespace, as used for deleting. */
export type PropertyNames = Record<string, string[]>;

/** Actors other than customers act for the account. */
export const audienceOf = (actor: Actor): PropertyAudience =>
  actor.kind === 'customer' || actor.kind === 'visitor' ? 'customer' : 'agent';

export const allows = (
  definition: PropertyDefinition | undefined,
  location: PropertyLocation,
  audience: PropertyAudience,
  right: PropertyRight,
): boolean => definition?.access[location]?.[audience]?.includes(right) === true;
