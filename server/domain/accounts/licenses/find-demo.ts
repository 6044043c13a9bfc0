import type { PlatformScope } from '../../scope.ts';

/** The demo organization, if there is one. */
export const findDemo = async ({ db }: PlatformScope): Promise<string | undefined> => {
  const row = await db.selectFrom('installation').where('key', '=', 'demo').select('value').executeTakeFirst();
  return (row?.value as { organizationId?: string } | undefined)?.organizationId;
};
