import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { groupStatuses } from '../routing/candidates.ts';
import { loadRoutingSnapshot } from '../routing/routing-snapshot.ts';
import type { GroupStatus } from './records.ts';

/** Returns the statuses of all groups, or of the requested ones that exist. */
export const listGroupStatuses = async (
  scope: OrganizationScope,
  { all, groupIds }: { all: boolean; groupIds?: number[] | undefined },
): Promise<GroupStatus[]> => {
  if (!all && groupIds === undefined) throw invalid('groupIds', 'or `all` is required');
  const statuses = groupStatuses(await loadRoutingSnapshot(scope, { queue: false }));
  return all ? statuses : statuses.filter(({ id }) => groupIds!.includes(id));
};
