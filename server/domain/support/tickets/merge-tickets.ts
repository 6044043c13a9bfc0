import { sql } from 'kysely';
import { requireAgent } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { actingAuthor } from './acting-author.ts';
import { appendTicketEvents } from './append-event.ts';
import { emitTicketChanged } from './change-status.ts';
import { getTicket } from './get-ticket.ts';
import type { TicketContent, TicketRecord } from './records.ts';
import { lockTicket, type TicketRow } from './visible-tickets.ts';

export interface MergeInput {
  /** The ticket that is merged into `into`. */
  ticketId: string;
  into: string;
}

/** Locks in id order, to avoid deadlocks between concurrent merges. */
const lockBoth = async (tx: Transaction<OrganizationScope>, { ticketId, into }: MergeInput) => {
  const rows = new Map<string, TicketRow>();
  for (const id of [ticketId, into].toSorted()) rows.set(id, await lockTicket(tx, id));
  return { source: rows.get(ticketId)!, target: rows.get(into)! };
};

const announce = async (
  tx: Transaction<OrganizationScope>,
  source: TicketRow,
  target: TicketRow,
  undone: boolean,
): Promise<void> => {
  const author = await actingAuthor(tx);
  const content = (direction: 'from' | 'into', { id, subject }: TicketRow): TicketContent => ({
    type: 'merged',
    direction,
    ticket: { id, subject },
    ...(undone ? { undone } : {}),
  });
  await appendTicketEvents(tx, source.id, [{ author, content: content('into', target) }], {
    mergedInto: undone ? null : target.id,
  });
  await appendTicketEvents(tx, target.id, [{ author, content: content('from', source) }]);
  for (const row of [source, target]) emitTicketChanged(tx, row);
};

/** Merges a ticket into another: all messages move to `into`, and so do replies to either. */
export const mergeTickets = (scope: OrganizationScope, input: MergeInput): Promise<TicketRecord> => {
  requireAgent(scope.actor);
  if (input.ticketId === input.into) throw invalid('into', 'must be another ticket');
  return scope.transaction(async (tx) => {
    const { source, target } = await lockBoth(tx, input);
    for (const { id, mergedInto } of [source, target])
      if (mergedInto) throw new DomainError('conflict', `The ticket ${id} is already merged into ${mergedInto}`);
    await tx
      .update('ticketEvents')
      .where('ticketId', '=', source.id)
      .set({ ticketId: target.id, formerTicketIds: sql`array_append(former_ticket_ids, ${source.id}::text)` })
      .execute();
    await announce(tx, source, target, false);
    return getTicket(tx, { id: target.id });
  });
};

/** Undoes a merge: the ticket gets back its own messages and those that arrived for it since. */
export const undoMerge = (scope: OrganizationScope, { ticketId }: { ticketId: string }): Promise<TicketRecord> => {
  requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    const merged = await tx.from('tickets').where('id', '=', ticketId).select('mergedInto').executeTakeFirst();
    if (!merged?.mergedInto) {
      await lockTicket(tx, ticketId);
      throw new DomainError('conflict', 'The ticket is not merged into another');
    }
    const { source, target } = await lockBoth(tx, { ticketId, into: merged.mergedInto });
    if (source.mergedInto !== target.id) throw new DomainError('conflict', 'The ticket is not merged into another');
    if (target.mergedInto)
      throw new DomainError('conflict', `The ticket ${target.id} is merged into ${target.mergedInto}: undo it first`);
    await tx
      .update('ticketEvents')
      .where('ticketId', '=', target.id)
      .where(sql<boolean>`former_ticket_ids[cardinality(former_ticket_ids)] = ${source.id}`)
      .set({
        ticketId: source.id,
        formerTicketIds: sql`former_ticket_ids[1:cardinality(former_ticket_ids) - 1]`,
      })
      .execute();
    await announce(tx, source, target, true);
    return getTicket(tx, { id: source.id });
  });
};

const PATH = `
with recursive path as (
  select t.id, t.merged_into, 1 as step from tickets t where t.organization_id = $1 and t.id = $2
  union all
  select n.id, n.merged_into, p.step + 1 from path p join tickets n on n.organization_id = $1 and n.id = p.merged_into
)
select p.id from path p order by p.step`;

/** The chain of merges starting with this ticket. */
const readPath = async ({ executor, organizationId }: OrganizationScope, id: string): Promise<string[]> =>
  (await executor.query<{ id: string }>({ text: PATH, values: [organizationId, id] })).rows.map((row) => row.id);

/** Locks the ticket that this one is merged into, and returns the chain of merges. */
export const lockMergeTarget = async (
  tx: Transaction<OrganizationScope>,
  id: string,
): Promise<{ row: TicketRow; formerTicketIds: string[] } | undefined> => {
  for (let path = await readPath(tx, id); ; ) {
    const last = path.at(-1);
    if (last === undefined) return undefined;
    // Only the last one is locked, since merging locks two tickets in id order.
    const row = await tx.from('tickets').where('id', '=', last).selectAll().forUpdate().executeTakeFirstOrThrow();
    // A merge may have been made or undone meanwhile; now that the row is locked, it cannot change.
    const now = path.length === 1 && !row.mergedInto ? path : await readPath(tx, id);
    if (now.at(-1) === last) return { row, formerTicketIds: now.slice(0, -1) };
    path = now;
  }
};
