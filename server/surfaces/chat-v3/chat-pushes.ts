import type { Push } from '#contracts/chat/frames.ts';
import { type AgentActor, visibleGroups } from '#server/domain/access.ts';
import { hasScope } from '#server/domain/accounts/oauth/scopes.ts';
import type { DomainEvent, Requester } from '#server/domain/events.ts';
import type { MonitoringLevel } from '#server/domain/support/customers/monitoring.ts';
import { toTimestamp } from '../../http/timestamp.ts';
import { customerRules } from './customer-pushes.ts';
import type { ChatPresenter } from './present-chat.ts';
import { propertyRules } from './property-pushes.ts';
import { type Audience, EVERYONE_IN_CHAT, inChat, type PushRule, requestedBy } from './push-rule.ts';
import { routingRules } from './routing-pushes.ts';
import { presentStatus } from './routing-status.ts';
import { ticketRules } from './ticket-pushes.ts';

type Of<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

const toWhoSees = ({ visibility }: Pick<Requester, 'visibility'>): readonly Audience[] =>
  visibility === 'all' ? EVERYONE_IN_CHAT : ['agents'];

/** The push of each domain event; `undefined` is not pushed. */
const rules: { [T in DomainEvent['type']]: PushRule<Of<T>> | undefined } = {
  ...propertyRules,
  ...routingRules,
  ...customerRules,
  ...ticketRules,
  user_added: {
    to: toWhoSees,
    write: (happening, present) => ({
      action: 'user_added_to_chat',
      payload: {
        ...inChat(happening),
        user: present.user(happening.user),
        user_type: happening.user.kind,
        reason: happening.reason,
        ...requestedBy(happening.requester, present),
      },
    }),
  },
  user_removed: {
    to: toWhoSees,
    write: (happening, present) => ({
      action: 'user_removed_from_chat',
      payload: {
        ...inChat(happening),
        user_id: present.userId(happening.user.kind, happening.user.id),
        user_type: happening.user.kind,
        reason: happening.reason,
        ...requestedBy(happening.requester, present),
      },
    }),
  },
  chat_followed: {
    to: ['agents'],
    isFor: ({ agentId }, agent) => agent.id === agentId,
    write: ({ agentId, chat }, present) => ({
      action: 'incoming_chat',
      payload: { requester_id: agentId, chat: present.chat(chat) },
    }),
  },
  chat_unfollowed: {
    to: ['agents'],
    isFor: ({ agentId }, agent) => agent.id === agentId,
    write: ({ chatId }) => ({ action: 'chat_unfollowed', payload: { chat_id: chatId } }),
  },
  thread_tagged: {
    to: ['agents'],
    write: (happening) => ({ action: 'thread_tagged', payload: { ...inChat(happening), tag: happening.tag } }),
  },
  thread_untagged: {
    to: ['agents'],
    write: (happening) => ({ action: 'thread_untagged', payload: { ...inChat(happening), tag: happening.tag } }),
  },
  typing_indicated: {
    to: toWhoSees,
    isFor: ({ user }, agent) => user.id !== agent.id,
    write: (happening, present) => ({
      action: 'incoming_typing_indicator',
      payload: {
        ...inChat(happening),
        typing_indicator: {
          author_id: present.userId(happening.user.kind, happening.user.id),
          visibility: happening.visibility,
          recipients: happening.visibility,
          timestamp: Math.floor(happening.sentAt.getTime() / 1000),
          is_typing: happening.isTyping,
        },
      },
    }),
  },
  multicast_sent: {
    to: ({ customerId }) => (customerId === undefined ? ['agents'] : ['customer']),
    isFor: ({ to }, agent) =>
      to.all || to.agentIds.includes(agent.id) || to.groupIds.some((id) => agent.groupIds.includes(id)),
    write: ({ multicast: { author, kind, content } }, present) => ({
      action: 'incoming_multicast',
      payload: { author_id: present.userId(author.kind, author.id), type: kind, content },
    }),
  },
  postback_sent: {
    to: toWhoSees,
    write: (happening, present) => ({
      action: 'incoming_rich_message_postback',
      payload: {
        user_id: present.userId(happening.user.kind, happening.user.id),
        ...inChat(happening),
        event_id: happening.eventId,
        postback: happening.postback,
      },
    }),
  },
  events_marked_as_seen: {
    to: ({ user }) => toWhoSees(user),
    write: ({ user, chatId, seenUpTo }, present) => ({
      action: 'events_marked_as_seen',
      payload: { user_id: present.userId(user.kind, user.id), chat_id: chatId, seen_up_to: toTimestamp(seenUpTo) },
    }),
  },
  sneak_peek_sent: {
    to: ['agents'],
    write: (happening, present) => ({
      action: 'incoming_sneak_peek',
      payload: {
        ...inChat(happening),
        sneak_peek: {
          author_id: present.userId(happening.user.kind, happening.user.id),
          text: happening.text,
          timestamp: Math.floor(happening.sentAt.getTime() / 1000),
        },
      },
    }),
  },
  event_sent: {
    to: ({ event }) => toWhoSees(event),
    write: (happening, present) => ({
      action: 'incoming_event',
      payload: { ...inChat(happening), event: present.event(happening.event) },
    }),
  },
  event_repeated: {
    to: EVERYONE_IN_CHAT,
    write: (happening, present) => ({
      action: 'incoming_event',
      payload: { ...inChat(happening), event: present.event(happening.event) },
    }),
  },
  chat_started: {
    to: EVERYONE_IN_CHAT,
    write: ({ chat, requester }, present) => ({
      action: 'incoming_chat',
      payload: { ...requestedBy(requester, present), chat: present.chat(chat) },
    }),
  },
  agent_status_set: {
    to: ['agents'],
    needs: 'agents_read',
    write: ({ agentId, status }) => ({
      action: 'routing_status_set',
      payload: { agent_id: agentId, status: presentStatus[status] },
    }),
  },
  group_statuses_changed: {
    to: ['customers'],
    write: ({ groups }) => ({ action: 'groups_status_updated', payload: { groups } }),
  },
  customer_session_fields_updated: {
    to: ['agents'],
    write: (happening) => ({
      action: 'customer_session_fields_updated',
      payload: {
        id: happening.customerId,
        active_chat: inChat(happening),
        session_fields: happening.sessionFields,
      },
    }),
  },
  chat_deactivated: {
    to: EVERYONE_IN_CHAT,
    write: (happening, present) => {
      const { userId, customerId, visibility = 'all' } = happening;
      const kind = userId === customerId ? 'customer' : 'agent';
      const isShown = userId !== undefined && present.shows({ visibility });
      return {
        action: 'chat_deactivated',
        payload: { ...inChat(happening), ...(isShown ? { user_id: present.userId(kind, userId) } : {}) },
      };
    },
  },
  property_defined: undefined,
  agent_signed_out: undefined,
  credentials_changed: undefined,
  agent_invited: undefined,
  agent_dismissed: undefined,
  password_reset_requested: undefined,
  email_verification_requested: undefined,
  email_verified: undefined,
  organization_created: undefined,
  ticket_replied: undefined,
  transcript_requested: undefined,
  renewal_failed: undefined,
  expert_written_to: undefined,
  withdrawal_moved: undefined,
  partner_created: undefined,
};

const ruleOf = <T extends DomainEvent['type']>(event: Of<T>): PushRule<Of<T>> | undefined => rules[event.type as T];

const NO_AUDIENCE: readonly Audience[] = [];

export const audiencesOf = (event: DomainEvent): readonly Audience[] => {
  const to = ruleOf(event)?.to ?? NO_AUDIENCE;
  return typeof to === 'function' ? to(event) : to;
};

/**
 * Whether an agent receives a push for agents: the agent must be able to access the chat, have the OAuth scope and be a
 * recipient.
 */
export const isRecipient = (
  event: DomainEvent,
  agent: AgentActor,
  { isInChat, level }: { isInChat(chatId: string): boolean; level: MonitoringLevel },
): boolean => {
  const groups = visibleGroups(agent);
  const maySee =
    groups === undefined ||
    !('groupIds' in event) ||
    event.groupIds.some((id) => groups.includes(id)) ||
    ('chatId' in event && isInChat(event.chatId));
  const { needs, isFor } = ruleOf(event) ?? {};
  return maySee && (needs === undefined || hasScope(agent, needs)) && (isFor?.(event, agent, level) ?? true);
};

/** The push of an event for an audience. */
export const presentPush = (present: ChatPresenter, event: DomainEvent): Push => ruleOf(event)!.write(event, present);
