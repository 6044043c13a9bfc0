import type { OrganizationScope } from '../../scope.ts';

/** Whether the license is expired or blocked. Agents can still read data, but cannot take chats. */
export const isLicenseEnded = async ({ db, organizationId }: OrganizationScope): Promise<boolean> => {
  const { status } = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select('status')
    .executeTakeFirstOrThrow();
  return status === 'expired' || status === 'blocked';
};
