import type { ChatRef } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { appendEvents } from '../chats/append/append-statement.ts';
import type { EventDraft } from '../chats/records.ts';

/** Why a chat lost its assignee. Part of the system message type, hence of the API. */
export type UnassignReason = 'deleted' | 'disconnected' | 'inactive' | 'remotely_signed_out' | 'signed_out' | 'other';

const REASON_TEXTS: Record<UnassignReason, string> = {
  deleted: 'is no longer an agent',
  disconnected: 'was disconnected',
  inactive: 'did not answer',
  remotely_signed_out: 'was signed out',
  signed_out: 'signed out',
  other: 'is not available',
};

export interface SystemMessage {
  type: string;
  text: string;
  vars: Record<string, string>;
  /** `agents`: hidden from the customer. */
  visibility: 'all' | 'agents';
}

export const joinedMessage = (agent: string): SystemMessage => ({
  type: 'agent_joined',
  text: `${agent} joined the chat`,
  vars: { agent },
  visibility: 'all',
});

export const reassignedMessage = (added: string, removed: string, reason: UnassignReason): SystemMessage => ({
  type: `routing.assigned_${reason}`,
  text: `${added} joined the chat because ${removed} ${REASON_TEXTS[reason]}`,
  vars: { agent_added: added, agent_removed: removed },
  visibility: 'all',
});

/** Hidden from the customer, who gets the queue position instead. */
export const unassignedMessage = (agent: string, reason: UnassignReason): SystemMessage => ({
  type: `routing.unassigned_${reason === 'inactive' ? 'other' : reason}`,
  text: `The chat is waiting for another agent because ${agent} ${REASON_TEXTS[reason]}`,
  vars: { agent },
  visibility: 'agents',
});

export const transferredMessage = (to: string, by?: string): SystemMessage => ({
  type: 'chat_transferred',
  text: by === undefined ? `The chat was transferred to ${to}` : `${by} transferred the chat to ${to}`,
  vars: { target: to, ...(by === undefined ? {} : { agent: by }) },
  visibility: 'all',
});

const draftOf = ({ type, text, vars, visibility }: SystemMessage): EventDraft => ({
  content: { type: 'system_message', systemMessageType: type, text, textVars: vars },
  visibility,
  properties: {},
});

/** Appends system messages to the chats in one statement and emits them. */
export const postSystemMessages = async (
  tx: Transaction<OrganizationScope>,
  messages: { about: ChatRef; message: SystemMessage }[],
): Promise<void> => {
  if (messages.length === 0) return;
  const { organizationId } = tx;
  const items = messages.map(({ about, message }) => ({
    organizationId,
    chatId: about.chatId,
    author: { kind: 'system' as const },
    draft: draftOf(message),
    attachToLastThread: false,
    at: tx.now(),
  }));
  const results = await appendEvents(tx.executor, items);
  for (const [at, result] of results.entries()) {
    if (result.outcome === 'appended') tx.emit({ type: 'event_sent', ...messages[at]!.about, event: result.event });
  }
};
