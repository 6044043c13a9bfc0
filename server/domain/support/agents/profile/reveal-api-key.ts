import { invalid } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { assertPassword, consumeCode } from '../sign-in/two-factor.ts';
import { hasTwoFactor } from './get-current-agent.ts';
import { lockAgent } from './lock-agent.ts';

/** Returns the caller's own API key. An open or stolen session alone must not give a credential that outlives it. */
export const revealApiKey = async (
  scope: OrganizationScope,
  { currentPassword, code }: { currentPassword: string; code?: string | undefined },
): Promise<string> => {
  const login = await assertPassword(scope, currentPassword, 'current_password');
  return scope.transaction(async (tx) => {
    const { apiKeySealed } = await lockAgent(tx, login, 'person');
    if (await hasTwoFactor(tx, login)) {
      if (!code) throw invalid('code', 'is required: two-step verification is on');
      if (!(await consumeCode(tx, login, code))) throw invalid('code', 'does not match the code on the device');
    }
    return tx.services.secrets.unseal(apiKeySealed);
  });
};
