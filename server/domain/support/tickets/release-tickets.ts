import type { OrganizationScope, Transaction } from '../../scope.ts';
import { actingAuthor } from './acting-author.ts';
import { SYSTEM } from './append-event.ts';
import type { TicketChange } from './change-status.ts';
import type { TicketRow } from './visible-tickets.ts';

/** One statement for any number of tickets. Solved tickets keep their assignee. */
const RELEASE = `
with held as (
  select t.id from tickets t
  where t.organization_id = $1 and t.assignee_id = $2 and t.status in ('open', 'pending')
  order by t.id for update
), released as (
  update tickets t set assignee_id = null, modified_at = $3 from held
  where t.organization_id = $1 and t.id = held.id
  returning t.id, t.group_ids
), recorded as (
  insert into ticket_events (organization_id, ticket_id, type, author_type, author_id, author_name, content, created_at)
  select $1, r.id, 'assignee_changed', $4, $5, $6, '{"to": null}', $3 from released r
)
select r.id as "ticketId", r.group_ids as "groupIds" from released r order by r.id`;

/** Unassigns the open tickets of an agent who leaves. */
export const releaseTickets = async (tx: Transaction<OrganizationScope>, agentId: string): Promise<void> => {
  const { organizationId } = tx;
  const author = await actingAuthor(tx);
  const { rows } = await tx.executor.query<{ ticketId: string; groupIds: number[] }>({
    text: RELEASE,
    values: [organizationId, agentId, tx.now(), author.type, author.id, author.name],
  });
  for (const row of rows) tx.emit({ type: 'ticket_changed', organizationId, ...row });
};

/** Removes an assignee who no longer exists when a solved ticket is reopened, so that other agents notice it. */
export const unassignDeletedAgent = async (
  tx: OrganizationScope,
  row: TicketRow,
): Promise<TicketChange | undefined> => {
  if (row.assigneeId === null) return undefined;
  const agent = await tx
    .from('agents')
    .where('id', '=', row.assigneeId)
    .where('deletedAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  return agent
    ? undefined
    : { event: { author: SYSTEM, content: { type: 'assignee_changed', to: null } }, columns: { assigneeId: null } };
};
