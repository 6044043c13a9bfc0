import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import { DomainError, invalid } from '../../errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../../scope.ts';
import { sendEvent } from '../chats/append/send-event.ts';
import { startChat } from '../chats/lifecycle/start-chat.ts';
import type { EventDraft } from '../chats/records.ts';
import { assertAddressAllowed } from '../customers/bans.ts';
import { createCustomer } from '../customers/create-customer.ts';
import { DEFAULT_CUSTOMER_NAME } from '../customers/default-name.ts';
import { updateCustomer } from '../customers/update-customer.ts';
import { isEmail } from '../forms/email.ts';
import { assertGroupsExist } from '../groups/online.ts';
import { touchVisit } from '../visits/touch-visit.ts';
import { positionOf } from './positions.ts';
import { openSession } from './sessions.ts';

export interface StartVisitorChatInput {
  organizationId: string;
  visitorId: string;
  welcomeMessage: string;
  name?: string | undefined;
  email?: string | undefined;
  groupId?: number | undefined;
  /** The IP address of the caller. */
  ip: string;
  userAgent?: string | undefined;
}

interface Visitor {
  id: string;
  bannedUntil: Date | null;
}

const findVisitor = (scope: OrganizationScope, visitorId: string): Promise<Visitor | undefined> =>
  scope.from('customers').where('visitorId', '=', visitorId).select(['id', 'bannedUntil']).executeTakeFirst();

/** Finds the customer of a visitor id, or creates one. */
const ensureVisitor = async (
  scope: OrganizationScope,
  { visitorId, name = DEFAULT_CUSTOMER_NAME, email }: StartVisitorChatInput,
): Promise<Visitor & { isNew: boolean }> =>
  scope.transaction(async (tx) => {
    // Two requests with the same new id at the same time create one visitor.
    await lockInTransaction(tx.executor, 'visitor', `${tx.organizationId} ${visitorId}`);
    const existing = await findVisitor(tx, visitorId);
    if (existing) return { ...existing, isNew: false };
    const id = await createCustomer(tx, { name, email });
    await tx.update('customers').where('id', '=', id).set({ visitorId }).execute();
    return { id, bannedUntil: null, isNew: true };
  });

const isBanned = async (system: OrganizationScope, visitorId: string, ip: string): Promise<boolean> => {
  const until = (await findVisitor(system, visitorId))?.bannedUntil;
  if (until && until > system.now()) return true;
  try {
    await assertAddressAllowed(system, ip);
    return false;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'customer_banned') return true;
    throw error;
  }
};

const messageOf = (text: string): EventDraft => ({
  content: { type: 'message', text },
  visibility: 'all',
  properties: {},
});

/** Returns the visitor's active chat or starts one, under the customer lock. */
const openOrStart = (
  scope: OrganizationScope,
  customerId: string,
  { welcomeMessage, groupId, ip, userAgent }: StartVisitorChatInput,
): Promise<{ chatId: string; isNew: boolean }> =>
  scope.transaction(async (tx) => {
    await tx.from('customers').where('id', '=', customerId).select('id').forNoKeyUpdate().execute();
    const open = await tx
      .from('chats')
      .where('customerId', '=', customerId)
      .where('active', '=', true)
      .orderBy('lastThreadCreatedAt', 'desc')
      .select('id')
      .limit(1)
      .executeTakeFirst();
    const groupIds = open || groupId === undefined ? undefined : [groupId];
    if (groupIds) await assertGroupsExist(tx, groupIds);
    // Written first, because the archive reads the chat's origin from the visit. The origin of an existing chat is not
    // changed.
    await touchVisit(tx, customerId, open ? {} : { browser: { ip, userAgent }, groupId });
    if (open) return { chatId: open.id, isNew: false };
    const events = [messageOf(welcomeMessage)];
    const { chatId } = await startChat(tx, { active: true, continuous: true, groupIds, events });
    return { chatId, isNew: true };
  });

/** Sends the welcome message in a chat that was active; returns the position before it. */
const joinOpenChat = async (scope: OrganizationScope, chatId: string, text: string): Promise<number> => {
  const { eventId } = await sendEvent(scope, { chatId, event: messageOf(text), attachToLastThread: false });
  return (await positionOf(scope, chatId, eventId)) - 1;
};

const begin = async (
  scope: OrganizationScope,
  customerId: string,
  input: StartVisitorChatInput,
): Promise<{ chatId: string; fromPosition: number }> => {
  const { chatId, isNew } = await openOrStart(scope, customerId, input);
  if (isNew) return { chatId, fromPosition: 0 };
  try {
    return { chatId, fromPosition: await joinOpenChat(scope, chatId, input.welcomeMessage) };
  } catch (error) {
    // The chat ended in the meantime, so another one can be started.
    if (error instanceof DomainError && error.code === 'chat_inactive') return begin(scope, customerId, input);
    throw error;
  }
};

/**
 * Starts a chat for a visitor without a widget, whether or not agents are online. Anyone can use any visitor id, so a
 * session in an existing chat cannot read earlier messages.
 */
export const startVisitorChat = async (
  services: Services,
  input: StartVisitorChatInput,
): Promise<{ secret: string } | { banned: true }> => {
  const { organizationId, visitorId, name, email } = input;
  if (email !== undefined && !isEmail(email)) throw invalid('email', 'must be an email address');
  const system = openOrganizationScope(services, { kind: 'system' }, organizationId);
  if (await isBanned(system, visitorId, input.ip)) return { banned: true };
  const { id: customerId, isNew } = await ensureVisitor(system, input);
  const scope = openOrganizationScope(services, { kind: 'customer', id: customerId }, organizationId);
  if (!isNew && (name !== undefined || email !== undefined)) await updateCustomer(scope, { name, email });
  const begun = await begin(scope, customerId, input);
  return { secret: await openSession(system, { customerId, ...begun }) };
};
