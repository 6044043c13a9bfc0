import { requireAdministrator } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError } from '../../errors.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope } from '../../scope.ts';
import { activeGroups } from './online.ts';
import { setMembers } from './set-members.ts';

const MAX_GROUPS = 1000;

export interface NewGroup {
  name: string;
  language?: string | undefined;
  agents?: string[] | undefined;
}

/** Ids count up within the organization and are not reused; 0 is built in. */
export const createGroup = (
  scope: OrganizationScope,
  { name, language = 'en', agents = [] }: NewGroup,
): Promise<number> => {
  requireAdministrator(scope.actor);
  return scope.transaction(async (tx) => {
    await lockOrganization(tx);
    const { groups } = await activeGroups(tx)
      .select((eb) => eb.fn.countAll<number>().as('groups'))
      .executeTakeFirstOrThrow();
    if (groups > MAX_GROUPS) throw new DomainError('limit_reached', `An account can have at most ${MAX_GROUPS} groups`);
    const last = await tx.from('groups').orderBy('id', 'desc').select('id').limit(1).executeTakeFirst();
    const id = (last?.id ?? ALL_AGENTS) + 1;
    await tx.insert('groups', { id, name, language: language.toLowerCase(), createdAt: tx.now() }).execute();
    await setMembers(tx, id, agents);
    return id;
  });
};
