import type { SessionFields } from '#server/storage/tables/customers.ts';
import { invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { reachGoalsByFields } from '../goals/reach-goals.ts';
import { browserColumns } from './browser.ts';
import { lockCustomer } from './lock-customer.ts';
import { emitCustomerUpdated } from './pending-update.ts';
import { resolveCustomer } from './resolve-customer.ts';

const MAX_KEYS = 100;
const MAX_KEY_LENGTH = 128;
const MAX_VALUE_LENGTH = 1024;

/** Returns one key per item in order of first occurrence; the last value of a key counts. */
export const checkSessionFields = (fields: SessionFields): SessionFields => {
  const values = new Map(fields.flatMap((field) => Object.entries(field)));
  if (values.size > MAX_KEYS) throw invalid('sessionFields', `must not have more than ${MAX_KEYS} keys`);
  for (const [key, value] of values) {
    if (key === '' || key.length > MAX_KEY_LENGTH)
      throw invalid('sessionFields', `must have keys of 1 to ${MAX_KEY_LENGTH} characters`);
    if (value.length > MAX_VALUE_LENGTH)
      throw invalid('sessionFields', `must not have values of more than ${MAX_VALUE_LENGTH} characters`);
  }
  return [...values].map(([key, value]) => ({ [key]: value }));
};

/** Emits the change for each active chat. */
export const emitSessionFields = async (
  tx: Transaction<OrganizationScope>,
  customerId: string,
  sessionFields: SessionFields,
): Promise<void> => {
  const active = await tx
    .from('chats')
    .where('customerId', '=', customerId)
    .where('active', '=', true)
    .orderBy('id')
    .select(['id', 'lastThreadId', 'groupIds'])
    .execute();
  for (const { id: chatId, lastThreadId: threadId, groupIds } of active)
    tx.emit({
      type: 'customer_session_fields_updated',
      organizationId: tx.organizationId,
      chatId,
      threadId,
      customerId,
      groupIds,
      sessionFields,
    });
};

export interface SessionFieldsInput {
  /** Set by agents; customers change their own fields. */
  customerId?: string | undefined;
  sessionFields: SessionFields;
}

/** Replaces the session fields immediately, including pending ones. */
export const setSessionFields = async (scope: OrganizationScope, input: SessionFieldsInput): Promise<void> => {
  const { id, browser } = resolveCustomer(scope.actor, input.customerId);
  const sessionFields = checkSessionFields(input.sessionFields);
  await scope.transaction(async (tx) => {
    const { pendingUpdate } = await lockCustomer(tx, id);
    const { sessionFields: _, ...waiting } = pendingUpdate ?? {};
    await tx
      .update('customers')
      .where('id', '=', id)
      .set({
        sessionFields: JSON.stringify(sessionFields),
        pendingUpdate: Object.keys(waiting).length === 0 ? null : JSON.stringify(waiting),
        ...browserColumns(browser),
      })
      .execute();
    await reachGoalsByFields(tx, id);
    await emitCustomerUpdated(tx, id);
    await emitSessionFields(tx, id, sessionFields);
  });
};
