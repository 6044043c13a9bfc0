import type { Plan } from '#server/storage/tables/organizations.ts';
import type { OrganizationScope } from '../../scope.ts';

export const planOf = async ({ db, organizationId }: OrganizationScope): Promise<Plan> =>
  (await db.selectFrom('organizations').where('id', '=', organizationId).select('plan').executeTakeFirstOrThrow()).plan;
