import type { ColumnType, JSONColumnType } from 'kysely';

/** The kinds of objects that have properties. */
export type PropertyLocation = 'chat' | 'thread' | 'event' | 'license' | 'group';
export type PropertyAudience = 'agent' | 'customer';
export type PropertyRight = 'read' | 'write';
export type PropertyType = 'string' | 'int' | 'bool' | 'any';

/** The objects on which a property may be set, and the permissions there. */
export type PropertyAccess = Partial<Record<PropertyLocation, Partial<Record<PropertyAudience, PropertyRight[]>>>>;
export type PropertyDomain = (string | number | boolean)[];
export interface PropertyRange {
  from?: number;
  to?: number;
}

export interface PropertyDefinitionsTable {
  organizationId: string;
  namespace: string;
  name: string;
  type: PropertyType;
  access: JSONColumnType<PropertyAccess>;
  domain: ColumnType<PropertyDomain | null, string | null | undefined, string | null>;
  range: ColumnType<PropertyRange | null, string | null | undefined, string | null>;
  maxLength: number | null;
  createdAt: Date;
}
