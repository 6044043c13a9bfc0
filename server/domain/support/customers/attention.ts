import { sql } from 'kysely';
import type { OrganizationScope } from '../../scope.ts';
import type { Attention } from './records.ts';

/** How much of what customers do on the site an agent wants to hear. */
const LEVELS = ['my', 'chatting', 'invited', 'online', 'highest_available'] as const;
export type MonitoringLevel = (typeof LEVELS)[number];

/** Levels that we do not know count as the first. */
export const readLevel = (text: string | null | undefined): MonitoringLevel =>
  LEVELS.find((level) => level === text) ?? 'my';

/** Of several customers at once, each in its own. */
export const readAttentions = async (
  scope: OrganizationScope,
  customerIds: readonly string[],
): Promise<Map<string, Attention>> => {
  const { rows } = await sql<Attention & { customerId: string }>`
select asked.customer_id,
  exists (
    select from chats c
    where c.organization_id = ${scope.organizationId} and c.customer_id = asked.customer_id and c.active) as chatting,
  exists (
    select from visits v join greeting_displays d on d.organization_id = v.organization_id and d.visit_id = v.id
    where v.organization_id = ${scope.organizationId} and v.customer_id = asked.customer_id and v.ended_at is null
      and d.accepted_at is null and d.canceled_at is null) as invited,
  array(
    select u.user_id from chats c
    join chat_users u on u.organization_id = c.organization_id and u.chat_id = c.id and u.kind = 'agent' and u.present
    where c.organization_id = ${scope.organizationId} and c.customer_id = asked.customer_id and c.active
    union
    select f.agent_id from customer_followers f
    where f.organization_id = ${scope.organizationId} and f.customer_id = asked.customer_id) as agent_ids
from unnest(${customerIds}::uuid[]) as asked(customer_id)`.execute(scope.db);
  return new Map(rows.map(({ customerId, ...attention }) => [customerId, attention]));
};

export const readAttention = async (scope: OrganizationScope, customerId: string): Promise<Attention> =>
  (await readAttentions(scope, [customerId])).get(customerId)!;

/** Each level adds to the one before it. */
export const isHeard = (level: MonitoringLevel, agentId: string, attention: Attention): boolean => {
  const { chatting, invited, agentIds } = attention;
  if (level === 'online' || level === 'highest_available' || agentIds.includes(agentId)) return true;
  return (chatting && level !== 'my') || (invited && level === 'invited');
};
