import { requireAdministrator } from '../access.ts';
import type { OrganizationScope } from '../scope.ts';

/** Numbers count up within the organization; 0 is built in. */
export const createGroup = (
  scope: OrganizationScope,
  { name, language = 'en' }: { name: string; language?: string },
): Promise<number> => {
  requireAdministrator(scope.actor);
  return scope.transaction(async (tx) => {
    const built = await tx.from('groups').where('id', '=', 0).select('id').forUpdate().executeTakeFirstOrThrow();
    const last = await tx.from('groups').orderBy('id', 'desc').select('id').limit(1).executeTakeFirst();
    const id = (last?.id ?? built.id) + 1;
    await tx.insert('groups', { id, name, language, createdAt: tx.now() }).execute();
    return id;
  });
};
