import { visibleGroups } from '#server/domain/access.ts';
import type { DomainEvent } from '#server/domain/events.ts';
import type { ChatPresenter } from './present-chat.ts';
import { inChat, type PushRules, requestedBy } from './push-rule.ts';

type Of<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

const presentTarget = ({ groupIds, agentIds }: Of<'chat_transferred'>['to'], present: ChatPresenter) => ({
  ...(groupIds ? { group_ids: groupIds } : {}),
  ...(agentIds ? { agent_ids: agentIds.map((id) => present.userId('agent', id)) } : {}),
});

const presentPosition = (one: Of<'queue_positions_changed'>['positions'][number]) => ({
  ...inChat(one),
  queue: { position: one.queue.position, wait_time: one.queue.waitTime },
});

/** Pushes about assignments and the queue. */
export const routingRules = {
  chat_transferred: {
    to: ['agents', 'customer'],
    write: (domainEvent, present) => ({
      action: 'chat_transferred',
      payload: {
        ...inChat(domainEvent),
        ...requestedBy(domainEvent.requester, present),
        reason: domainEvent.reason,
        transferred_to: presentTarget(domainEvent.to, present),
        ...(domainEvent.queue ? { queue: present.queue(domainEvent.queue) } : {}),
      },
    }),
  },
  chat_access_updated: {
    to: ['agents'],
    write: ({ chatId, accessGroupIds }) => ({
      action: 'chat_access_updated',
      payload: { id: chatId, access: { group_ids: accessGroupIds } },
    }),
  },
  chat_arrived: {
    to: ['agents'],
    isFor: ({ from }, agent) => {
      const groups = visibleGroups(agent);
      const couldSee = groups === undefined || from.groupIds.some((id) => groups.includes(id));
      return !couldSee && !from.agentIds.includes(agent.id);
    },
    write: ({ chat, requester, from }, present) => ({
      action: 'incoming_chat',
      payload: {
        ...requestedBy(requester, present),
        chat: present.chat(chat),
        transferred_from: presentTarget(from, present),
      },
    }),
  },
  queue_positions_changed: {
    to: ['agents'],
    write: ({ positions }) => ({ action: 'queue_positions_updated', payload: positions.map(presentPosition) }),
  },
  queue_position_changed: {
    to: ['customer'],
    write: (domainEvent) => ({ action: 'queue_position_updated', payload: presentPosition(domainEvent) }),
  },
} satisfies PushRules;

/** Splits an event about several chats, so that each customer only gets their own. */
export const partsOf = (event: DomainEvent): DomainEvent[] => {
  if (event.type !== 'queue_positions_changed') return [event];
  const { organizationId, groupIds } = event;
  return event.positions.map((one) => ({ type: 'queue_position_changed', organizationId, groupIds, ...one }));
};
