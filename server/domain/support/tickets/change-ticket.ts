import type { Updateable } from 'kysely';
import type { TicketsTable } from '#server/storage/tables/tickets.ts';
import { requireAgent } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { actingAuthor } from './acting-author.ts';
import { appendTicketEvents, cleanText, type TicketEventDraft } from './append-event.ts';
import { findAssignee } from './assignee.ts';
import { changeOf, emitTicketChanged } from './change-status.ts';
import { asSystem, checkGroups, cleanSubject } from './create-ticket.ts';
import { getTicket } from './get-ticket.ts';
import type { TicketAuthor, TicketContent, TicketRecord, TicketStatus } from './records.ts';
import { lockTicket, type TicketRow } from './visible-tickets.ts';

type Draft = Omit<TicketEventDraft, 'ticketId'>;

interface Change {
  content: TicketContent;
  columns: Updateable<TicketsTable>;
}

/** Changes a ticket under its row lock. A change without effect creates no event. */
const change = (
  scope: OrganizationScope,
  ticketId: string,
  decide: (tx: Transaction<OrganizationScope>, row: TicketRow, author: TicketAuthor) => Promise<Change | undefined>,
): Promise<TicketRecord> => {
  if (scope.actor.kind !== 'system') requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    const row = await lockTicket(tx, ticketId);
    if (row.mergedInto) throw new DomainError('conflict', `The ticket is merged into ${row.mergedInto}`);
    const author = await actingAuthor(tx);
    const changed = await decide(tx, row, author);
    if (changed) {
      const event: Draft = { author, content: changed.content };
      await appendTicketEvents(tx, row.id, [event], changed.columns);
      emitTicketChanged(tx, row, changed.columns.groupIds as number[] | undefined);
    }
    return getTicket(asSystem(tx), { id: row.id });
  });
};

const isSame = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((value) => other.includes(value));

export const assignTicket = (
  scope: OrganizationScope,
  { ticketId, assignee }: { ticketId: string; assignee: string | null },
): Promise<TicketRecord> =>
  change(scope, ticketId, async (tx, row) => {
    const to = assignee === null ? null : await findAssignee(tx, assignee);
    if ((to?.id ?? null) === row.assigneeId) return undefined;
    return { content: { type: 'assignee_changed', to }, columns: { assigneeId: to?.id ?? null } };
  });

export const setTicketStatus = (
  scope: OrganizationScope,
  { ticketId, status }: { ticketId: string; status: TicketStatus },
): Promise<TicketRecord> =>
  change(scope, ticketId, async (tx, row, author) => {
    if (status === row.status) return undefined;
    const { event, columns } = changeOf(tx, row, status, author);
    return { content: event.content, columns };
  });

export const setTicketGroups = (
  scope: OrganizationScope,
  { ticketId, groupIds }: { ticketId: string; groupIds: number[] },
): Promise<TicketRecord> =>
  change(scope, ticketId, async (tx, row) => {
    const to = await checkGroups(tx, groupIds);
    if (isSame(to, row.groupIds)) return undefined;
    return { content: { type: 'group_changed', from: row.groupIds, to }, columns: { groupIds: to } };
  });

export const setTicketSubject = (
  scope: OrganizationScope,
  { ticketId, subject }: { ticketId: string; subject: string },
): Promise<TicketRecord> =>
  change(scope, ticketId, async (_, row) => {
    const to = cleanSubject(subject);
    if (to === row.subject) return undefined;
    return { content: { type: 'subject_changed', from: row.subject, to }, columns: { subject: to } };
  });

const MAX_TAGS = 100;
const MAX_TAG_CHARACTERS = 128;

const checkTags = (input: string[]): string[] => {
  const tags = [...new Set(input.map((tag) => cleanText(tag).trim()))];
  if (tags.includes('')) throw invalid('tag', 'must not be empty');
  if (tags.some((tag) => tag.length > MAX_TAG_CHARACTERS))
    throw invalid('tag', `must not be longer than ${MAX_TAG_CHARACTERS} characters`);
  if (tags.length > MAX_TAGS) throw new DomainError('limit_reached', `A ticket can have at most ${MAX_TAGS} tags`);
  return tags;
};

/** Replaces all tags. */
export const setTicketTags = (
  scope: OrganizationScope,
  { ticketId, tags }: { ticketId: string; tags: string[] },
): Promise<TicketRecord> =>
  change(scope, ticketId, async (_, row) => {
    const to = checkTags(tags);
    if (isSame(to, row.tags)) return undefined;
    return { content: { type: 'tags_changed', from: row.tags, to }, columns: { tags: to } };
  });
