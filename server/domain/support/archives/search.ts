import { requireAgent, visibleGroups } from '../../access.ts';
import type { Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type FactFilters, groupFacts } from './facts.ts';

export interface ArchiveSearch extends FactFilters {
  /** From this instant, up to but not including that one. */
  from?: Date | undefined;
  before?: Date | undefined;
  /** Words of the messages, of the customer's name and of its e-mail. */
  text?: string | undefined;
  includePending?: boolean | undefined;
}

/** Where in a list, newest first. */
export interface Place {
  offset: number;
  limit: number;
  /** Nobody reaches more. */
  reach: number;
}

/** A thread and when it began. */
export interface Found {
  id: string;
  at: Date;
}

export interface FoundPage {
  found: Found[];
  /** Within reach. */
  total: number;
}

/** `undefined`: every thread of the organization. */
export const seenGroups = ({ actor, organizationId }: OrganizationScope): string[] | undefined => {
  const groups = visibleGroups(requireAgent(actor));
  return groups && groupFacts(organizationId, groups);
};

/** That an entry `e` is the organization's and began within the asked time. */
export const inTime = ({ from, before }: ArchiveSearch, { add }: Values): string =>
  [
    'e.organization_id = $1',
    ...(from ? [`e.started_at >= ${add(from)}`] : []),
    ...(before ? [`e.started_at < ${add(before)}`] : []),
  ].join(' and ');
