import type { Selectable } from 'kysely';
import type { TicketEventsTable } from '#server/storage/tables/tickets.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { TicketContent, TicketEvent, TicketRecord } from './records.ts';
import type { TicketRow } from './visible-tickets.ts';

const toEvent = (row: Selectable<TicketEventsTable>): TicketEvent => ({
  author: { type: row.authorType, id: row.authorId, name: row.authorName },
  createdAt: row.createdAt,
  isPrivate: row.isPrivate,
  content: { ...row.content, type: row.type } as TicketContent,
});

const loadEvents = async (scope: OrganizationScope, ids: string[]): Promise<Map<string, TicketEvent[]>> => {
  const rows = await scope
    .from('ticketEvents')
    .where('ticketId', 'in', ids)
    .orderBy('ticketId')
    .orderBy('createdAt')
    .orderBy('id')
    .selectAll()
    .execute();
  const byTicket = Map.groupBy(rows, ({ ticketId }) => ticketId);
  return new Map([...byTicket].map(([id, some]) => [id, some.map(toEvent)]));
};

/** Deleted agents keep their names. */
export const loadAgentNames = async (scope: OrganizationScope, logins: string[]): Promise<Map<string, string>> => {
  if (logins.length === 0) return new Map();
  const rows = await scope.from('agents').where('id', 'in', logins).select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

const openings = (createdAt: Date, events: TicketEvent[]): Date[] => [
  createdAt,
  ...events.flatMap(({ content, createdAt: at }) =>
    content.type === 'status_changed' && content.to === 'open' ? [at] : [],
  ),
];

/** Loads related rows with two queries for any number of tickets. */
export const loadTickets = async (scope: OrganizationScope, rows: TicketRow[]): Promise<TicketRecord[]> => {
  if (rows.length === 0) return [];
  const assignees = [...new Set(rows.flatMap(({ assigneeId }) => assigneeId ?? []))];
  const [events, names] = await Promise.all([
    loadEvents(
      scope,
      rows.map(({ id }) => id),
    ),
    loadAgentNames(scope, assignees),
  ]);
  return rows.map((row) => {
    const own = events.get(row.id) ?? [];
    return {
      id: row.id,
      subject: row.subject,
      status: row.status,
      requester: { mail: row.requesterMail, name: row.requesterName },
      ...(row.assigneeId ? { assignee: { id: row.assigneeId, name: names.get(row.assigneeId) ?? '' } } : {}),
      groupIds: row.groupIds,
      tags: row.tags,
      source: {
        type: row.sourceType,
        ...(row.sourceUrl ? { url: row.sourceUrl } : {}),
        ...(row.sourceId ? { id: row.sourceId } : {}),
      },
      ...(row.rating ? { rating: row.rating } : {}),
      ...(row.firstResponseAt && row.firstResponseBy
        ? { firstResponse: { at: row.firstResponseAt, agentId: row.firstResponseBy } }
        : {}),
      ...(row.mergedInto ? { mergedInto: row.mergedInto } : {}),
      createdAt: row.createdAt,
      modifiedAt: row.modifiedAt,
      openedAt: openings(row.createdAt, own),
      events: own,
    };
  });
};
