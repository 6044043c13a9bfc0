import { requireAgent, visibleGroups } from '../access.ts';
import type { Values } from '../chats/page-sql.ts';
import type { OrganizationScope } from '../scope.ts';
import { type FactFilters, groupFacts, wantedFacts } from './facts.ts';
import { readQuery, toTsquery } from './words.ts';

export interface ArchiveSearch extends FactFilters {
  /** From this instant, up to but not including that one. */
  from?: Date | undefined;
  before?: Date | undefined;
  /** Words of the messages, of the customer's name and of its e-mail. */
  text?: string | undefined;
  includePending?: boolean | undefined;
}

/** `undefined`: every thread of the organization. */
export const seenGroups = ({ actor, organizationId }: OrganizationScope): string[] | undefined => {
  const groups = visibleGroups(requireAgent(actor));
  return groups && groupFacts(organizationId, groups);
};

/** Chats that were anonymized keep their entries until something about them changes. */
export const SHOWN =
  'not exists (select from chats c where c.organization_id = $1 and c.id = e.chat_id and c.anonymized)';

/** What must hold for an entry `e`: of its time, and of what it is like; the latter may be nothing. */
export const searchConditions = (
  scope: OrganizationScope,
  search: ArchiveSearch,
  { add }: Values,
): { inTime: string; fits: string | undefined } => {
  const { organizationId } = scope;
  const inTime = ['e.organization_id = $1'];
  if (search.from) inTime.push(`e.started_at >= ${add(search.from)}`);
  if (search.before) inTime.push(`e.started_at < ${add(search.before)}`);
  const fits: string[] = [];
  const wanted = wantedFacts(organizationId, search);
  if (wanted.length > 0) fits.push(`e.facts @> ${add(wanted)}::bigint[]`);
  const groups = seenGroups(scope);
  if (groups) fits.push(`e.facts && ${add(groups)}::bigint[]`);
  if (search.text !== undefined) {
    const query = toTsquery(organizationId, readQuery(search.text));
    fits.push(query ? `e.words @@ ${add(query)}::tsquery` : 'false');
  }
  return { inTime: inTime.join(' and '), fits: fits.length > 0 ? fits.join(' and ') : undefined };
};
