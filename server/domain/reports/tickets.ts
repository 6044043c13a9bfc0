import type { OrganizationScope } from '../scope.ts';
import type { Period } from './period.ts';
import { also, type BucketQuery, readBuckets, within } from './read-buckets.ts';

export interface TicketFilters {
  groupId?: number | undefined;
  agentId?: string | undefined;
  tag?: string | undefined;
}

/** Whom a rating is for: who has the ticket, else who solved it, else who answered first. */
export const RATED_AGENT = 'coalesce(t.assignee_id, t.solved_by, t.first_response_by)';

/** What can happen to a ticket, when it did, and whose doing it was. */
const MOMENTS = {
  created: { at: 't.created_at', by: 't.assignee_id' },
  answered: { at: 't.first_response_at', by: 't.first_response_by' },
  solved: { at: 't.solved_at', by: 't.solved_by' },
  rated: { at: 't.rated_at', by: RATED_AGENT },
};

/** Spam is no ticket to count, nor is one that became part of another. */
const COUNTED = `t.status <> 'spam' and t.merged_into is null`;

const readTickets = async <Sums extends Record<string, number | null>>(
  scope: OrganizationScope,
  { buckets }: Period,
  { groupId, agentId, tag }: TicketFilters,
  moment: keyof typeof MOMENTS,
  columns: BucketQuery['columns'],
) => {
  const { at, by } = MOMENTS[moment];
  return readBuckets<Sums>(scope, buckets, (values) => ({
    columns,
    rows: `select ${at} as at, t.source_type, t.rating, (extract(epoch from ${at} - t.created_at) * 1000)::bigint as ms
      from tickets t
      where t.organization_id = $1 and ${COUNTED} and ${within(at, buckets, values)}${also(
        groupId !== undefined && `t.group_ids @> array[${values.add(groupId)}::int]`,
        agentId !== undefined && `${by} = ${values.add(agentId)}`,
        tag !== undefined && `t.tags @> array[${values.add(tag)}::text]`,
      )}`,
  }));
};

export interface TicketTimes {
  count: number;
  /** Since the ticket was made, on the average; absent when there was none. */
  milliseconds?: number;
}

/** Of the tickets that were answered for the first time, or solved, then. */
export const sumTicketTimes = async (
  scope: OrganizationScope,
  period: Period,
  filters: TicketFilters,
  moment: 'answered' | 'solved',
): Promise<TicketTimes[]> => {
  const columns = 'count(*)::int as count, sum(s.ms)::bigint as ms';
  const found = await readTickets<{ count: number; ms: number }>(scope, period, filters, moment, columns);
  return found.map((row) => (row ? { count: row.count, milliseconds: row.ms / row.count } : { count: 0 }));
};

export interface NewTickets {
  count: number;
  fromChatWindow: number;
  fromMail: number;
  fromChat: number;
}

const from = (source: string, name: string) => `count(*) filter (where s.source_type = '${source}')::int as "${name}"`;

export const sumNewTickets = async (
  scope: OrganizationScope,
  period: Period,
  filters: TicketFilters,
): Promise<NewTickets[]> => {
  const columns = [
    'count(*)::int as count',
    from('chat-window', 'fromChatWindow'),
    from('mail', 'fromMail'),
    from('lc2', 'fromChat'),
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
  const columns = `count(*) filter (where s.rating = 'good')::int as good, count(*) filter (where s.rating = 'bad')::int as bad`;
  const found = await readTickets<Record<keyof Ratings, number>>(scope, period, filters, 'rated', columns);
  return found.map((row) => row ?? { good: 0, bad: 0 });
};
