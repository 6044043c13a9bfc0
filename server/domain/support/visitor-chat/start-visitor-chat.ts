import { DomainError, invalid } from '../../errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../../scope.ts';
import { sendEvent } from '../chats/append/send-event.ts';
import { startChat } from '../chats/lifecycle/start-chat.ts';
import type { EventDraft } from '../chats/records.ts';
import { assertAddressAllowed } from '../customers/bans.ts';
import { updateCustomer } from '../customers/update-customer.ts';
import { isEmail } from '../forms/email.ts';
import { assertGroupsExist } from '../groups/online.ts';
import { touchVisit } from '../visits/touch-visit.ts';
import { positionOf } from './positions.ts';
import { createVisitor, findVisitor, type Visitor, type VisitorClaim } from './resolve-visitor.ts';
import { openSession } from './sessions.ts';

export interface StartVisitorChatInput extends VisitorClaim {
  organizationId: string;
  welcomeMessage: string;
  name?: string | undefined;
  email?: string | undefined;
  groupId?: number | undefined;
  /** The IP address of the caller. */
  ip: string;
  userAgent?: string | undefined;
}

const isBanned = async (system: OrganizationScope, visitor: Visitor | undefined, ip: string): Promise<boolean> => {
  const until = visitor?.bannedUntil;
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

const startNewChat = (
  scope: OrganizationScope,
  customerId: string,
  { welcomeMessage, groupId, ip, userAgent }: StartVisitorChatInput,
): Promise<string> =>
  scope.transaction(async (tx) => {
    await tx.from('customers').where('id', '=', customerId).select('id').forNoKeyUpdate().execute();
    const groupIds = groupId === undefined ? undefined : [groupId];
    if (groupIds) await assertGroupsExist(tx, groupIds);
    // Written first, because the archive reads the chat's origin from the visit.
    await touchVisit(tx, customerId, { browser: { ip, userAgent }, groupId });
    const events = [messageOf(welcomeMessage)];
    return (await startChat(tx, { active: true, continuous: true, groupIds, events })).chatId;
  });

interface BegunChat {
  chatId: string;
  fromPosition: number;
}

/** Sends the welcome message in a chat that was active; returns undefined if it has ended. */
const joinOpenChat = async (scope: OrganizationScope, chatId: string, text: string): Promise<BegunChat | undefined> => {
  try {
    const { eventId } = await sendEvent(scope, { chatId, event: messageOf(text), attachToLastThread: false });
    return { chatId, fromPosition: (await positionOf(scope, chatId, eventId)) - 1 };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'chat_inactive') return undefined;
    throw error;
  }
};

const begin = async (
  scope: OrganizationScope,
  { customerId, chatId }: Visitor,
  input: StartVisitorChatInput,
): Promise<BegunChat> => {
  const joined = chatId === undefined ? undefined : await joinOpenChat(scope, chatId, input.welcomeMessage);
  if (!joined) return { chatId: await startNewChat(scope, customerId, input), fromPosition: 0 };
  await scope.transaction((tx) => touchVisit(tx, customerId, {}));
  return joined;
};

/**
 * Starts a chat for a visitor without a widget, whether or not agents are online. A caller who proves to be the visitor,
 * or presents an agent's credential, continues the visitor's chat and may change its details; a session in an existing
 * chat does not show earlier messages.
 */
export const startVisitorChat = async (
  services: Services,
  input: StartVisitorChatInput,
): Promise<{ secret: string } | { banned: true }> => {
  const { organizationId, visitorId, name, email } = input;
  if (email !== undefined && !isEmail(email)) throw invalid('email', 'must be an email address');
  const system = openOrganizationScope(services, { kind: 'system' }, organizationId);
  const known = await findVisitor(system, input);
  if (await isBanned(system, known, input.ip)) return { banned: true };
  const visitor = known ?? (await createVisitor(system, input));
  const { customerId } = visitor;
  const scope = openOrganizationScope(services, { kind: 'customer', id: customerId }, organizationId);
  if (visitor.isProven && (name !== undefined || email !== undefined)) await updateCustomer(scope, { name, email });
  return { secret: await openSession(system, { customerId, visitorId, ...(await begin(scope, visitor, input)) }) };
};
