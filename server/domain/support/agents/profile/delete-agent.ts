import { requireAdministrator } from '../../../access.ts';
import { sendRemovalNotice } from '../../../accounts/agents/email-tokens.ts';
import { DomainError } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { lockAgent } from './lock-agent.ts';
import { retireAgent } from './retire-agent.ts';

export const deleteAgent = async (scope: OrganizationScope, { login }: { login: string }): Promise<void> => {
  requireAdministrator(scope.actor);
  await scope.transaction(async (tx) => {
    const { id, permission } = await lockAgent(tx, login, 'person');
    if (permission === 'owner') throw new DomainError('forbidden', 'The owner cannot be deleted');
    await retireAgent(tx, id);
    await sendRemovalNotice(tx, id);
  });
};
