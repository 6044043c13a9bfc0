import type { Properties } from '#server/storage/tables/chats.ts';
import type { PropertyLocation } from '#server/storage/tables/properties.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { activeGroups } from '../groups/online.ts';
import { audienceOf } from './definitions.ts';
import { entriesOf, fromEntries } from './merge.ts';
import { readableProperties } from './readable.ts';

export interface PropertyFilter {
  namespace?: string | undefined;
  name?: string | undefined;
}

const show = async (
  scope: OrganizationScope,
  location: PropertyLocation,
  properties: Properties,
  { namespace, name }: PropertyFilter,
): Promise<Properties> => {
  const definitions = await scope.services.support.properties.load(scope.organizationId);
  const readable = readableProperties(definitions, audienceOf(scope.actor), location, properties);
  return fromEntries(
    entriesOf(readable).filter((entry) => entry[0] === (namespace ?? entry[0]) && entry[1] === (name ?? entry[1])),
  );
};

/** Public properties of the account. */
export const listLicenseProperties = async (scope: OrganizationScope, filter: PropertyFilter): Promise<Properties> => {
  const { properties } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select('properties')
    .executeTakeFirstOrThrow();
  return show(scope, 'license', properties, filter);
};

export const listGroupProperties = async (
  scope: OrganizationScope,
  { groupId, ...filter }: PropertyFilter & { groupId: number },
): Promise<Properties> => {
  const row = await activeGroups(scope).where('id', '=', groupId).select('properties').executeTakeFirst();
  if (!row) throw new DomainError('group_not_found', 'Group not found');
  return show(scope, 'group', row.properties, filter);
};
