import { requireAgent } from '../../access.ts';
import { invalidLink } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { assertAddressFree } from '../addresses/assert-address-free.ts';
import { mailConfirmation } from '../addresses/confirmations.ts';

type Tx = Transaction<OrganizationScope>;

/** Emails the calling agent a link that confirms the address. Does nothing if it is already confirmed. */
export const requestEmailConfirmation = (scope: OrganizationScope): Promise<void> => {
  const { id } = requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    const agent = await tx.from('agents').where('id', '=', id).select('addressConfirmedAt').executeTakeFirstOrThrow();
    if (agent.addressConfirmedAt) return;
    await mailConfirmation(tx, { kind: 'agent', ownerId: tx.organizationId, subjectId: id, address: id });
  });
};

/** One address owns at most one license through sign-up. Only the holder of the mailbox learns that there is another. */
export const confirmAgent = async (tx: Tx, { subjectId: login }: { subjectId: string }): Promise<void> => {
  const agent = await tx
    .from('agents')
    .where('id', '=', login)
    .where('deletedAt', 'is', null)
    .select(['permission', 'addressConfirmedAt'])
    .executeTakeFirst();
  if (!agent) throw invalidLink();
  if (agent.addressConfirmedAt) return;
  if (agent.permission === 'owner') await assertAddressFree(tx, login);
  await tx.update('agents').where('id', '=', login).set({ addressConfirmedAt: tx.now() }).execute();
};
