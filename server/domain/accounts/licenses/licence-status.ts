import type { OrganizationScope } from '../../scope.ts';

/** Whether the licence has run out or was blocked: everything can still be read, and nobody takes chats. */
export const isLicenceEnded = async ({ db, organizationId }: OrganizationScope): Promise<boolean> => {
  const { status } = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select('status')
    .executeTakeFirstOrThrow();
  return status === 'expired' || status === 'blocked';
};
