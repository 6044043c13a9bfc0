import type { AgentActor } from '#server/domain/access.ts';
import type { DomainEvent } from '#server/domain/events.ts';
import { isMonitored, type MonitoringLevel } from '#server/domain/support/customers/monitoring.ts';
import { presentCustomer, presentDetails, presentPage, presentToAll } from './present-customer.ts';
import { presentGreeting } from './present-greeting.ts';
import type { PushRules } from './push-rule.ts';

type AboutVisitor = Extract<DomainEvent, { monitoring: unknown }>;

const toMonitoringAgents = {
  to: ['agents'],
  isFor: ({ monitoring }: AboutVisitor, { id }: AgentActor, level: MonitoringLevel): boolean =>
    isMonitored(level, id, monitoring),
} as const;

const toFollower = {
  to: ['agents'],
  isFor: ({ agentId }: { agentId: string }, { id }: AgentActor): boolean => id === agentId,
} as const;

/** Pushes about customers outside chats, to the customers themselves and to agents who monitor the site. */
export const customerRules = {
  greeting_displayed: {
    to: ['customer'],
    write: ({ greeting }, present) => ({ action: 'incoming_greeting', payload: presentGreeting(present, greeting) }),
  },
  greeting_accepted: {
    to: ['customer'],
    write: ({ uniqueId }) => ({ action: 'greeting_accepted', payload: { unique_id: uniqueId } }),
  },
  greeting_canceled: {
    to: ['customer'],
    write: ({ uniqueId }) => ({ action: 'greeting_canceled', payload: { unique_id: uniqueId } }),
  },
  customer_updated: {
    to: ['agents', 'customer'],
    write: ({ customer }) => ({ action: 'customer_updated', payload: presentCustomer(customer) }),
  },
  customer_arrived: {
    ...toMonitoringAgents,
    write: ({ customer }) => ({ action: 'incoming_customer', payload: { customer: presentToAll(customer) } }),
  },
  customer_visit_started: {
    ...toMonitoringAgents,
    write: ({ customer }) => ({ action: 'customer_visit_started', payload: { customer: presentToAll(customer) } }),
  },
  customer_visit_ended: {
    ...toMonitoringAgents,
    write: ({ customerId }) => ({ action: 'customer_visit_ended', payload: { customer_id: customerId } }),
  },
  customer_page_updated: {
    ...toMonitoringAgents,
    write: ({ customerId, page }) => ({
      action: 'customer_page_updated',
      payload: { customer_id: customerId, page: presentPage(page) },
    }),
  },
  customer_followed: {
    ...toFollower,
    write: ({ customer }) => ({ action: 'incoming_customer', payload: { customer: presentDetails(customer) } }),
  },
  customer_unfollowed: {
    ...toFollower,
    write: ({ customerId }) => ({ action: 'customer_unfollowed', payload: { customer_id: customerId } }),
  },
  customer_banned: {
    to: ['agents'],
    write: ({ customerId, ip, days }) => ({
      action: 'customer_banned',
      payload: {
        ...(customerId === undefined ? {} : { customer_id: customerId }),
        ...(ip === undefined ? {} : { ip }),
        ban: { days },
      },
    }),
  },
} satisfies PushRules;
