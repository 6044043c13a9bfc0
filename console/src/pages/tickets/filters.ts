import type { listTickets } from '#contracts/agent/tickets.ts';
import type { BodyOf } from '#contracts/operation.ts';
import type { Filters } from '../../app/use-filters.ts';
import { dayOf, oneOf, splitValues } from '../../design/filter-values.ts';
import { t } from './t.ts';

export const TICKET_FILTERS = [
  ...(['q', 'status', 'assignee', 'group', 'tags', 'tagged', 'source', 'mail', 'from', 'to', 'order'] as const),
] as const;

export type TicketFilters = Filters<(typeof TICKET_FILTERS)[number] | 'page'>;
type Body = BodyOf<typeof listTickets>;
type Given = NonNullable<Body['filters']>;

export const STATUSES = ['open', 'pending', 'solved', 'spam'] as const;
export type Status = (typeof STATUSES)[number];
export const STATUS_NAMES: Record<Status, string> = {
  open: t('open'),
  pending: t('pending'),
  solved: t('solved'),
  spam: t('spam'),
};

export const SOURCE_NAMES: Record<NonNullable<Given['source']>, string> = {
  lc2: t('chatOrAPI'),
  mail: t('email'),
  socialnet: t('socialNetwork'),
  'agent-app-manual': t('agent'),
  'chat-window': t('chatWidget'),
};

const assigneeOf = (assignee: string | undefined, me: string): Given => {
  if (assignee === undefined) return {};
  if (assignee === 'unassigned') return { assigned: false };
  return { assignee_id: assignee === 'me' ? me : assignee };
};

/** The status in the URL, `open` by default; `undefined` means all. */
export const statusOf = ({ status }: TicketFilters): Status | undefined =>
  status === 'all' ? undefined : (oneOf(status, STATUSES) ?? 'open');

/** Maps the URL to the API request; invalid values are ignored. */
export const toTicketQuery = (filters: TicketFilters, me: string): Body => {
  const group = Number(filters.group);
  const page = Number(filters.page);
  const tags = splitValues(filters.tags);
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    order: filters.order === 'asc' ? 'asc' : 'desc',
    filters: {
      ...assigneeOf(filters.assignee, me),
      status: statusOf(filters),
      query: filters.q,
      group_id: filters.group !== undefined && Number.isInteger(group) ? group : undefined,
      tags: tags.length > 0 ? tags : undefined,
      tagged: filters.tagged === undefined ? undefined : filters.tagged === '1',
      source: oneOf(filters.source, Object.keys(SOURCE_NAMES) as (keyof typeof SOURCE_NAMES)[]),
      requester_mail: filters.mail,
      date_from: dayOf(filters.from),
      date_to: dayOf(filters.to),
    },
  };
};

/** Number of active filters in the drawer. */
export const countFilters = (filters: TicketFilters): number =>
  TICKET_FILTERS.filter((name) => name !== 'q' && name !== 'status' && filters[name] !== undefined).length;
