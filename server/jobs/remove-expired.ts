import { removeExpiredCustomerTokens } from '#server/domain/customers/tokens.ts';
import { expiryOf } from '#server/domain/files/find-file.ts';
import { removeExpiredFiles } from '#server/domain/files/remove-expired.ts';
import { removeExpiredGrants } from '#server/domain/oauth/remove-expired.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '#server/domain/scope.ts';
import type { FileStore } from '#server/ports/files/files.ts';
import type { Executor } from '#server/storage/database.ts';
import { findOrganizationsWithEndedTokens, findOrganizationsWithUnusedFiles } from '#server/storage/platform.ts';

/** One organization after the other, until nothing is left; what somebody else holds now waits for the next time. */
const removeAll = async (
  services: Services,
  list: () => Promise<string[]>,
  remove: (scope: OrganizationScope) => Promise<number>,
): Promise<void> => {
  for (let removed = 1; removed > 0; ) {
    removed = 0;
    for (const id of await list()) removed += await remove(openOrganizationScope(services, { kind: 'system' }, id));
  }
};

export const removeAllExpiredFiles = (database: Executor, services: Services, files: FileStore) => (): Promise<void> =>
  removeAll(
    services,
    () => findOrganizationsWithUnusedFiles(database, expiryOf(services.clock.now())),
    (scope) => removeExpiredFiles(scope, files),
  );

const removeExpired = async (scope: OrganizationScope): Promise<number> =>
  (await removeExpiredCustomerTokens(scope)) + (await removeExpiredGrants(scope));

export const removeAllExpiredTokens = (database: Executor, services: Services) => (): Promise<void> =>
  removeAll(services, () => findOrganizationsWithEndedTokens(database, services.clock.now()), removeExpired);
