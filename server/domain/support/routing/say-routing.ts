import type { InChat } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { appendEvents } from '../chats/append/append-statement.ts';
import type { EventDraft } from '../chats/records.ts';

/** Why a chat's agent does not answer it any more. */
export type AwayReason = 'deleted' | 'disconnected' | 'inactive' | 'remotely_signed_out' | 'signed_out' | 'other';

const because: Record<AwayReason, string> = {
  deleted: 'is not an agent any more',
  disconnected: 'was disconnected',
  inactive: 'did not answer',
  remotely_signed_out: 'was signed out',
  signed_out: 'signed out',
  other: 'is not available',
};

export interface Said {
  type: string;
  text: string;
  vars: Record<string, string>;
  /** `agents`: the customer does not hear of it. */
  visibility: 'all' | 'agents';
}

export const saidJoined = (agent: string): Said => ({
  type: 'agent_joined',
  text: `${agent} joined the chat`,
  vars: { agent },
  visibility: 'all',
});

export const saidReassigned = (added: string, removed: string, reason: AwayReason): Said => ({
  type: `routing.assigned_${reason}`,
  text: `${added} answers the chat, because ${removed} ${because[reason]}`,
  vars: { agent_added: added, agent_removed: removed },
  visibility: 'all',
});

/** The customer learns its place in the queue instead. */
export const saidUnassigned = (agent: string, reason: AwayReason): Said => ({
  type: `routing.unassigned_${reason === 'inactive' ? 'other' : reason}`,
  text: `The chat waits for another agent, because ${agent} ${because[reason]}`,
  vars: { agent },
  visibility: 'agents',
});

export const saidTransferred = (to: string, by?: string): Said => ({
  type: 'chat_transferred',
  text: by === undefined ? `The chat was transferred to ${to}` : `${by} transferred the chat to ${to}`,
  vars: { target: to, ...(by === undefined ? {} : { agent: by }) },
  visibility: 'all',
});

const draftOf = ({ type, text, vars, visibility }: Said): EventDraft => ({
  content: { type: 'system_message', systemMessageType: type, text, textVars: vars },
  visibility,
  properties: {},
});

/** Writes what routing did into the chats, all in one statement, and says so. */
export const say = async (
  tx: Transaction<OrganizationScope>,
  sayings: { about: InChat; said: Said }[],
): Promise<void> => {
  if (sayings.length === 0) return;
  const { organizationId } = tx;
  const items = sayings.map(({ about, said }) => ({
    organizationId,
    chatId: about.chatId,
    author: { kind: 'system' as const },
    draft: draftOf(said),
    attachToLastThread: false,
    at: tx.now(),
  }));
  const results = await appendEvents(tx.executor, items);
  for (const [at, result] of results.entries()) {
    if (result.outcome === 'appended') tx.emit({ type: 'event_sent', ...sayings[at]!.about, event: result.event });
  }
};
