import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables/index.ts';
import { UsageError } from './command.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_SHOWN = 10;

/** By id or by case-insensitive name. */
export const findOrganization = async (db: Kysely<Tables>, idOrName: string) => {
  const found = await db
    .selectFrom('organizations')
    .where((eb) =>
      UUID.test(idOrName) ? eb('id', '=', idOrName) : eb(eb.fn<string>('lower', ['name']), '=', idOrName.toLowerCase()),
    )
    .orderBy('licenseNumber')
    .select(['id', 'name', 'timezone', 'idleCloseMinutes'])
    .limit(MAX_SHOWN)
    .execute();
  if (found.length > 1)
    throw new UsageError(
      `Several organizations are named "${idOrName}". Use one of their ids: ${found.map(({ id }) => id).join(', ')}`,
    );
  if (!found[0]) throw new UsageError(`No organization "${idOrName}"`);
  return found[0];
};
