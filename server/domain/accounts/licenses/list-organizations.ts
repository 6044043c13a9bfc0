import { requireOperator } from '../../access.ts';
import type { PlatformScope } from '../../scope.ts';
import type { OrganizationRecord } from './organizations.ts';

export interface OrganizationPage {
  organizations: OrganizationRecord[];
  /** The license number of the last organization of this page, if there are more. */
  next?: number;
}

/** Oldest first. */
export const listOrganizations = async (
  scope: PlatformScope,
  { after = 0, limit }: { after?: number | undefined; limit: number },
): Promise<OrganizationPage> => {
  requireOperator(scope.actor);
  const found = await scope.db
    .selectFrom('organizations')
    .where('licenseNumber', '>', after)
    .orderBy('licenseNumber')
    .limit(limit + 1)
    .selectAll()
    .execute();
  const organizations = found.slice(0, limit);
  return { organizations, ...(found.length > limit ? { next: organizations.at(-1)!.licenseNumber } : {}) };
};
