import type { PendingUpdate, SessionFields } from '#server/storage/tables/customers.ts';
import { requireCustomer } from '../access.ts';
import { DomainError, invalid } from '../errors.ts';
import { isEmail } from '../forms/email.ts';
import type { OrganizationScope } from '../scope.ts';
import { hasActiveChat, holdCustomer } from './hold-customer.ts';
import { applyUpdate } from './pending-update.ts';
import { checkSessionFields, emitSessionFields } from './session-fields.ts';

export interface CustomerUpdate {
  name?: string | undefined;
  email?: string | undefined;
  avatar?: string | undefined;
  sessionFields?: SessionFields | undefined;
}

const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

const checkUpdate = ({ name, email, avatar, sessionFields }: CustomerUpdate): PendingUpdate => {
  if (email !== undefined && !isEmail(email)) throw invalid('email', 'is no e-mail address');
  if (avatar !== undefined && !isWebAddress(avatar)) throw invalid('avatar', 'must be an http or https URL');
  const update: PendingUpdate = {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(sessionFields === undefined ? {} : { sessionFields: checkSessionFields(sessionFields) }),
  };
  if (Object.keys(update).length === 0)
    throw new DomainError('validation', 'One of `name`, `email`, `avatar`, `session_fields` is required');
  return update;
};

/** During a chat nobody changes the name under the agent's eyes: the change waits until the last active chat ends. */
export const updateCustomer = async (scope: OrganizationScope, input: CustomerUpdate): Promise<void> => {
  const { id } = requireCustomer(scope.actor);
  const update = checkUpdate(input);
  await scope.transaction(async (tx) => {
    const known = await holdCustomer(tx, id);
    if (await hasActiveChat(tx, id)) {
      const pending = JSON.stringify({ ...known.pending, ...update });
      await tx.update('customers').where('id', '=', id).set({ pending }).execute();
      if (update.sessionFields) await emitSessionFields(tx, id, update.sessionFields);
    } else {
      await applyUpdate(tx, id, { ...known.pending, ...update }, known);
    }
  });
};
