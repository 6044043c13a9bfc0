import { requireAgent, visibleGroups } from '../../access.ts';
import type { Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type FactFilters, getGroupFacts } from './facts.ts';

export interface ArchiveSearch extends FactFilters {
  /** The range of start times; `before` is exclusive. */
  from?: Date | undefined;
  before?: Date | undefined;
  /** Words of the messages, or of the customer's name or email. */
  text?: string | undefined;
  includePending?: boolean | undefined;
}

/** The part of the list to return. */
export interface PageWindow {
  offset: number;
  limit: number;
  /** The highest total that is reported: what can be reached by paging. */
  maxTotal: number;
}

/** A thread id and the time at which the thread started. */
export interface ThreadKey {
  id: string;
  at: Date;
}

export interface FoundPage {
  found: ThreadKey[];
  /** At most `maxTotal`. */
  total: number;
}

/** The facts of the agent's groups; `undefined` if the agent may see all threads. */
export const getVisibleGroupFacts = ({ actor, organizationId }: OrganizationScope): string[] | undefined => {
  const groups = visibleGroups(requireAgent(actor));
  return groups && getGroupFacts(organizationId, groups);
};

/** SQL condition: the entry `e` belongs to the organization and its thread started within the requested range. */
export const startedWithin = ({ from, before }: ArchiveSearch, { add }: Values): string =>
  [
    'e.organization_id = $1',
    ...(from ? [`e.started_at >= ${add(from)}`] : []),
    ...(before ? [`e.started_at < ${add(before)}`] : []),
  ].join(' and ');
