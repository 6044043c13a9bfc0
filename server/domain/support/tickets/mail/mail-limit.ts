import { DomainError } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';

const HOUR_MS = 3_600_000;
/** Anyone's address can be entered in a ticket, so mails are limited per address and per account. */
const PER_ADDRESS = 30;
const PER_ORGANIZATION = 1_000;

const MAILED = `e.organization_id = $1 and e.created_at > $2 and e.type = 'message' and e.author_type = 'agent'
  and e.content @> '{"mailed": true}'`;

const SENT = `
select count(*)::int as sent, min(e.created_at) as first from ticket_events e where ${MAILED}
union all
select count(*)::int, min(e.created_at) from tickets t
join ticket_events e on e.ticket_id = t.id and ${MAILED}
where t.organization_id = $1 and lower(t.requester_mail) = lower($3)`;

/** Throws when too many mails went to this address or from this account within an hour. */
export const assertMailLimit = async (scope: OrganizationScope, address: string): Promise<void> => {
  const since = scope.now().getTime() - HOUR_MS;
  const values = [scope.organizationId, new Date(since), address];
  const { rows } = await scope.executor.query<{ sent: number; first: Date | null }>({ text: SENT, values });
  const [all, own] = rows as [(typeof rows)[0], (typeof rows)[0]];
  const full = [all.sent >= PER_ORGANIZATION && all.first, own.sent >= PER_ADDRESS && own.first].filter(
    Boolean,
  ) as Date[];
  if (full.length === 0) return;
  const retryAfterSeconds = Math.ceil(Math.max(...full.map((first) => first.getTime() - since)) / 1000);
  throw new DomainError('too_many_requests', 'Too many replies were sent. Try again later', { retryAfterSeconds });
};
