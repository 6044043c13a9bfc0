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

const visibleTo = ({ visibility }: Pick<Requester, 'visibility'>): readonly Audience[] =>
  visibility === 'all' ? EVERYONE_IN_CHAT : ['agents'];

/** The push of each domain event; `undefined` is not pushed. */
const rules: { [T in DomainEvent['type']]: PushRule<Of<T>> | undefined } = {
  ...propertyRules,
  ...routingRules,
  ...customerRules,
  ...ticketRules,
  user_added: {
    to: visibleTo,
    write: (domainEvent, present) => ({
      action: 'user_added_to_chat',
      payload: {
        ...inChat(domainEvent),
        user: present.user(domainEvent.user),
        user_type: domainEvent.user.kind,
        reason: domainEvent.reason,
        ...requestedBy(domainEvent.requester, present),
      },
    }),
  },
  user_removed: {
    to: visibleTo,
    write: (domainEvent, present) => ({
      action: 'user_removed_from_chat',
      payload: {
        ...inChat(domainEvent),
        user_id: present.userId(domainEvent.user.kind, domainEvent.user.id),
        user_type: domainEvent.user.kind,
        reason: domainEvent.reason,
        ...requestedBy(domainEvent.requester, present),
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
    write: (domainEvent) => ({ action: 'thread_tagged', payload: { ...inChat(domainEvent), tag: domainEvent.tag } }),
  },
  thread_untagged: {
    to: ['agents'],
    write: (domainEvent) => ({ action: 'thread_untagged', payload: { ...inChat(domainEvent), tag: domainEvent.tag } }),
  },
  typing_indicated: {
    to: visibleTo,
    isFor: ({ user }, agent) => user.id !== agent.id,
    write: (domainEvent, present) => ({
      action: 'incoming_typing_indicator',
      payload: {
        ...inChat(domainEvent),
        typing_indicator: {
          author_id: present.userId(domainEvent.user.kind, domainEvent.user.id),
          visibility: domainEvent.visibility,
          recipients: domainEvent.visibility,
          timestamp: Math.floor(domainEvent.sentAt.getTime() / 1000),
          is_typing: domainEvent.isTyping,
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
    to: visibleTo,
    write: (domainEvent, present) => ({
      action: 'incoming_rich_message_postback',
      payload: {
        user_id: present.userId(domainEvent.user.kind, domainEvent.user.id),
        ...inChat(domainEvent),
        event_id: domainEvent.eventId,
        postback: domainEvent.postback,
      },
    }),
  },
  events_marked_as_seen: {
    to: ({ user }) => visibleTo(user),
    write: ({ user, chatId, seenUpTo }, present) => ({
      action: 'events_marked_as_seen',
      payload: { user_id: present.userId(user.kind, user.id), chat_id: chatId, seen_up_to: toTimestamp(seenUpTo) },
    }),
  },
  sneak_peek_sent: {
    to: ['agents'],
    write: (domainEvent, present) => ({
      action: 'incoming_sneak_peek',
      payload: {
        ...inChat(domainEvent),
        sneak_peek: {
          author_id: present.userId(domainEvent.user.kind, domainEvent.user.id),
          text: domainEvent.text,
          timestamp: Math.floor(domainEvent.sentAt.getTime() / 1000),
        },
      },
    }),
  },
  event_sent: {
    to: ({ event }) => visibleTo(event),
    write: (domainEvent, present) => ({
      action: 'incoming_event',
      payload: { ...inChat(domainEvent), event: present.event(domainEvent.event) },
    }),
  },
  event_repeated: {
    to: EVERYONE_IN_CHAT,
    write: (domainEvent, present) => ({
      action: 'incoming_event',
      payload: { ...inChat(domainEvent), event: present.event(domainEvent.event) },
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
    write: (domainEvent) => ({
      action: 'customer_session_fields_updated',
      payload: {
        id: domainEvent.customerId,
        active_chat: inChat(domainEvent),
        session_fields: domainEvent.sessionFields,
      },
    }),
  },
  chat_deactivated: {
    to: EVERYONE_IN_CHAT,
    write: (domainEvent, present) => {
      const { userId, customerId, visibility = 'all' } = domainEvent;
      const kind = userId === customerId ? 'customer' : 'agent';
      const isShown = userId !== undefined && present.shows({ visibility });
      return {
        action: 'chat_deactivated',
        payload: { ...inChat(domainEvent), ...(isShown ? { user_id: present.userId(kind, userId) } : {}) },
      };
    },
  },
  property_defined: undefined,
  agent_signed_out: undefined,
  credentials_changed: undefined,
  agent_invited: undefined,
  agent_dismissed: undefined,
  password_reset_requested: undefined,
  address_confirmation_requested: undefined,
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
