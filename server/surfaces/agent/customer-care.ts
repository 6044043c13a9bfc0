import * as contract from '#contracts/agent/customers.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { addBan, listBans } from '#server/domain/support/customers/bans.ts';
import { type CustomerHistory, getCustomerHistory } from '#server/domain/support/customers/customer-history.ts';
import { inviteCustomer } from '#server/domain/support/greetings/invite-customer.ts';
import { type Action, action } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';

type History = ResponseOf<typeof contract.getCustomerHistory>;

const presentThread = (thread: CustomerHistory['threads'][number]): History['threads'][number] => ({
  ...{ chat_id: thread.chatId, thread_id: thread.threadId, active: thread.active, group_ids: thread.groupIds },
  ...{ agent_ids: thread.agentIds, tags: thread.tags, created_at: toTimestamp(thread.createdAt) },
  ...(thread.closedAt ? { closed_at: toTimestamp(thread.closedAt) } : {}),
});

const presentVisit = (visit: CustomerHistory['visits'][number]): History['visits'][number] => ({
  started_at: toTimestamp(visit.startedAt),
  ...(visit.endedAt ? { ended_at: toTimestamp(visit.endedAt) } : {}),
  ...(visit.referrer === null ? {} : { referrer: visit.referrer }),
  pages_count: visit.pageCount,
  pages: visit.pages.map(({ url, title, openedAt }) => ({
    ...{ url, ...(title === null ? {} : { title }), opened_at: toTimestamp(openedAt) },
  })),
});

const presentGoal = ({ goalId, name, threadId, sale, reachedAt }: CustomerHistory['goals'][number]) => ({
  ...{ goal_id: goalId, name, ...(threadId === null ? {} : { thread_id: threadId }) },
  ...(sale ? { sale: { ...withoutOrder(sale), ...(sale.orderId ? { order_id: sale.orderId } : {}) } } : {}),
  reached_at: toTimestamp(reachedAt),
});

const withoutOrder = ({ orderId: _, ...sale }: NonNullable<CustomerHistory['goals'][number]['sale']>) => sale;

const agentAction = action<OrganizationScope>();

/** Actions for agents in the console; bots do not use them. */
export const customerCareActions: Action<OrganizationScope>[] = [
  agentAction(contract.inviteCustomer, async ({ body, scope }) => {
    const { uniqueId } = await inviteCustomer(scope, { customerId: body.id, greetingId: body.greeting_id });
    return { unique_id: uniqueId };
  }),
  agentAction(contract.getCustomerHistory, async ({ body, scope }) => {
    const { threads, visits, goals } = await getCustomerHistory(scope, { customerId: body.id });
    return {
      threads: threads.map(presentThread),
      visits: visits.map(presentVisit),
      goals: goals.map(presentGoal),
    };
  }),
  agentAction(contract.listCustomerBans, async ({ scope }) =>
    (await listBans(scope)).map(({ id, customerId, customerName, ip, until, bannedBy, createdAt }) => ({
      ...{ id, ...(customerId === null ? {} : { customer_id: customerId }) },
      ...(customerName === null ? {} : { customer_name: customerName }),
      ...(ip === null ? {} : { ip }),
      ...{ banned_until: toTimestamp(until), banned_by: bannedBy, created_at: toTimestamp(createdAt) },
    })),
  ),
  agentAction(contract.banCustomerAddress, async ({ body, scope }) => {
    await addBan(scope, { ip: body.ip, days: body.days });
    return {};
  }),
];
