import type { OrganizationScope } from '../../scope.ts';

/** Whether the license has run out or was blocked: everything can still be read, and nobody takes chats. */
export const isLicenseEnded = async ({ db, organizationId }: OrganizationScope): Promise<boolean> => {
  const { status } = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select('status')
    .executeTakeFirstOrThrow();
  return status === 'expired' || status === 'blocked';
};
