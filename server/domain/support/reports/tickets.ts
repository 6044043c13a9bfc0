import type { OrganizationScope } from '../../scope.ts';
import type { Period } from './period.ts';
import { andWhere, type BucketQuery, readBuckets } from './read-buckets.ts';
import { type Occurrences, selectOccurrences } from './select-occurrences.ts';

export interface TicketFilters {
  groupId?: number | undefined;
  agentId?: string | undefined;
  tag?: string | undefined;
}

/** The rated agent: the assignee, or else who solved the ticket, or else who responded first. */
export const RATED_AGENT = 'coalesce(t.assignee_id, t.solved_by, t.first_response_by)';

/** Spam and merged tickets are not counted. */
export const COUNTED = `t.status <> 'spam' and t.merged_into is null`;

/** Something that happens to a ticket. The value is the time since its creation; `by` is the responsible agent. */
const ticketOccurrences = (at: string, by: string, kind = "''"): Occurrences & { by: string } => ({
  at,
  from: `tickets t where t.organization_id = $1 and ${at} is not null and ${COUNTED}`,
  kind,
  value: `(extract(epoch from ${at} - t.created_at) * 1000)::bigint`,
  by,
});

const TICKET_OCCURRENCES = {
  created: ticketOccurrences('t.created_at', 't.assignee_id', 't.source_type'),
  answered: ticketOccurrences('t.first_response_at', 't.first_response_by'),
  solved: ticketOccurrences('t.solved_at', 't.solved_by'),
  rated: ticketOccurrences('t.rated_at', RATED_AGENT, "coalesce(t.rating, '')"),
};

const readTickets = async <Sums extends Record<string, number | null>>(
  scope: OrganizationScope,
  { buckets }: Period,
  { groupId, agentId, tag }: TicketFilters,
  name: keyof typeof TICKET_OCCURRENCES,
  columns: BucketQuery['columns'],
) => {
  const source = TICKET_OCCURRENCES[name];
  return readBuckets<Sums>(scope, buckets, (values) => {
    const which = andWhere(
      groupId !== undefined && `t.group_ids @> array[${values.add(groupId)}::int]`,
      agentId !== undefined && `${source.by} = ${values.add(agentId)}`,
      tag !== undefined && `t.tags @> array[${values.add(tag)}::text]`,
    );
    return { columns, rows: selectOccurrences(source, buckets, values, which) };
  });
};

export interface TicketTimes {
  count: number;
  /** The average since the creation of the ticket; absent if there were none. */
  milliseconds?: number;
}

/** Tickets that got their first response, or were solved, in each bucket. */
export const sumTicketTimes = async (
  scope: OrganizationScope,
  period: Period,
  filters: TicketFilters,
  name: 'answered' | 'solved',
): Promise<TicketTimes[]> => {
  const columns = 'count(*)::int as count, sum(s.value)::float8 as ms';
  const found = await readTickets<{ count: number; ms: number }>(scope, period, filters, name, columns);
  return found.map((row) => (row ? { count: row.count, milliseconds: row.ms / row.count } : { count: 0 }));
};

export interface NewTickets {
  count: number;
  fromChatWindow: number;
  fromMail: number;
  fromChat: number;
}

const countOf = (kind: string, name: string) => `count(*) filter (where s.kind = '${kind}')::int as "${name}"`;

export const sumNewTickets = async (
  scope: OrganizationScope,
  period: Period,
  filters: TicketFilters,
): Promise<NewTickets[]> => {
  const columns = [
    'count(*)::int as count',
    countOf('chat-window', 'fromChatWindow'),
    countOf('mail', 'fromMail'),
    countOf('lc2', 'fromChat'),
  ].join(', ');
  const found = await readTickets<Record<keyof NewTickets, number>>(scope, period, filters, 'created', columns);
  return found.map((row) => row ?? { count: 0, fromChatWindow: 0, fromMail: 0, fromChat: 0 });
};

export interface Ratings {
  good: number;
  bad: number;
}

export const sumTicketRatings = async (
  scope: OrganizationScope,
  period: Period,
  filters: TicketFilters,
): Promise<Ratings[]> => {
  const columns = `${countOf('good', 'good')}, ${countOf('bad', 'bad')}`;
  const found = await readTickets<Record<keyof Ratings, number>>(scope, period, filters, 'rated', columns);
  return found.map((row) => row ?? { good: 0, bad: 0 });
};
