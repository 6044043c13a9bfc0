import type { PendingUpdate, SessionFields } from '#server/storage/tables/customers.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { isEmail } from '../forms/email.ts';
import { hasActiveChat, lockCustomer } from './lock-customer.ts';
import { applyUpdate } from './pending-update.ts';
import { resolveCustomer } from './resolve-customer.ts';
import { checkSessionFields, emitSessionFields } from './session-fields.ts';

export interface CustomerUpdate {
  name?: string | undefined;
  email?: string | undefined;
  avatar?: string | undefined;
  sessionFields?: SessionFields | undefined;
}

const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

export const checkDetails = ({ name, email, avatar, sessionFields }: CustomerUpdate): PendingUpdate => {
  if (email !== undefined && !isEmail(email)) throw invalid('email', 'must be an email address');
  if (avatar !== undefined && !isWebAddress(avatar)) throw invalid('avatar', 'must be an http or https URL');
  return {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(sessionFields === undefined ? {} : { sessionFields: checkSessionFields(sessionFields) }),
  };
};

export const checkUpdate = (input: CustomerUpdate): PendingUpdate => {
  const update = checkDetails(input);
  if (Object.keys(update).length === 0)
    throw new DomainError('validation', 'One of `name`, `email`, `avatar`, `session_fields` is required');
  return update;
};

/**
 * Changes by the customer during a chat are deferred until the last active chat ends, so that the name does not change
 * in front of the agent. Changes by agents apply immediately and override deferred ones.
 */
export const updateCustomer = async (
  scope: OrganizationScope,
  { customerId, ...input }: CustomerUpdate & { customerId?: string | undefined },
): Promise<void> => {
  const { id } = resolveCustomer(scope.actor, customerId);
  const update = checkUpdate(input);
  await scope.transaction(async (tx) => {
    const current = await lockCustomer(tx, id);
    const isActive = await hasActiveChat(tx, id);
    if (isActive && tx.actor.kind === 'customer') {
      const pendingUpdate = JSON.stringify({ ...current.pendingUpdate, ...update });
      await tx.update('customers').where('id', '=', id).set({ pendingUpdate }).execute();
    } else if (isActive) {
      const waiting = Object.entries(current.pendingUpdate ?? {}).filter(([name]) => !(name in update));
      await applyUpdate(tx, id, update, current, Object.fromEntries(waiting));
    } else {
      await applyUpdate(tx, id, { ...current.pendingUpdate, ...update }, current);
    }
    if (isActive && update.sessionFields) await emitSessionFields(tx, id, update.sessionFields);
  });
};
