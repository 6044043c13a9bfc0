import { sql } from 'kysely';
import type { OrganizationScope } from '../../scope.ts';
import type { Monitoring } from './records.ts';

/** Which visitor events an agent wants to receive; each level includes the ones before it. */
const LEVELS = ['my', 'chatting', 'invited', 'online', 'highest_available'] as const;
export type MonitoringLevel = (typeof LEVELS)[number];

/** Unknown levels count as the first. */
export const readLevel = (text: string | null | undefined): MonitoringLevel =>
  LEVELS.find((level) => level === text) ?? 'my';

/** Reads monitoring data by customer id. */
export const readMonitoringOfMany = async (
  scope: OrganizationScope,
  customerIds: readonly string[],
): Promise<Map<string, Monitoring>> => {
  const { rows } = await sql<Monitoring & { customerId: string }>`
select requested.customer_id,
  exists (
    select from chats c
    where c.organization_id = ${scope.organizationId} and c.customer_id = requested.customer_id and c.active) as chatting,
  exists (
    select from visits v join greeting_displays d on d.organization_id = v.organization_id and d.visit_id = v.id
    where v.organization_id = ${scope.organizationId} and v.customer_id = requested.customer_id and v.ended_at is null
      and d.accepted_at is null and d.canceled_at is null) as invited,
  array(
    select u.user_id from chats c
    join chat_users u on u.organization_id = c.organization_id and u.chat_id = c.id and u.kind = 'agent' and u.present
    where c.organization_id = ${scope.organizationId} and c.customer_id = requested.customer_id and c.active
    union
    select f.agent_id from customer_followers f
    where f.organization_id = ${scope.organizationId} and f.customer_id = requested.customer_id) as agent_ids
from unnest(${customerIds}::uuid[]) as requested(customer_id)`.execute(scope.db);
  return new Map(rows.map(({ customerId, ...monitoring }) => [customerId, monitoring]));
};

export const readMonitoring = async (scope: OrganizationScope, customerId: string): Promise<Monitoring> =>
  (await readMonitoringOfMany(scope, [customerId])).get(customerId)!;

/** Whether an agent with this level receives events about the customer. */
export const isMonitored = (level: MonitoringLevel, agentId: string, monitoring: Monitoring): boolean => {
  const { chatting, invited, agentIds } = monitoring;
  if (level === 'online' || level === 'highest_available' || agentIds.includes(agentId)) return true;
  return (chatting && level !== 'my') || (invited && level === 'invited');
};
