import { requireAgent } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type Bucket, firstParts } from './buckets.ts';
import { openPeriod, type Period, type PeriodInput } from './period.ts';

export interface Reported<Sums> {
  bucket: Bucket;
  sums: Sums;
}

/** Nobody has an empty login: whoever is not there has done nothing. */
const NOBODY = '';

const resolveAgent = async (scope: OrganizationScope, login: string): Promise<string> => {
  const agent = await scope
    .from('agents')
    .where('id', '=', login.toLowerCase())
    .where('deletedAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  return agent?.id ?? NOBODY;
};

/** Whoever works here may read the numbers. */
const open = async <Filters extends { agentId?: string | undefined }>(
  scope: OrganizationScope,
  { period: asked, ...filters }: { period: PeriodInput } & Filters,
) => {
  requireAgent(scope.actor);
  await scope.services.projections.applyPending(scope.organizationId, 'report_facts');
  const period = await openPeriod(scope, asked);
  const { agentId } = filters;
  return {
    period,
    filters: (agentId === undefined
      ? filters
      : { ...filters, agentId: await resolveAgent(scope, agentId) }) as unknown as Filters,
  };
};

/** An hour is told once. One that no clock showed is not told, nor is there one on a day that the calendar skipped. */
const isTold = ({ groupBy, buckets }: Period) => {
  const firsts = firstParts(buckets);
  return ({ bucket: { start, end } }: Reported<unknown>, n: number): boolean =>
    firsts[n] === n && (groupBy !== 'hour' || start < end);
};

/** A report by buckets: every bucket of the asked days, with what `sum` finds in it. */
export const reportBy =
  <Filters extends object, Sums>(
    sum: (scope: OrganizationScope, period: Period, filters: Filters) => Promise<Sums[]>,
  ) =>
  async (scope: OrganizationScope, input: { period: PeriodInput } & Filters): Promise<Reported<Sums>[]> => {
    const { period, filters } = await open<Filters & { agentId?: string | undefined }>(scope, input);
    const sums = await sum(scope, period, filters);
    return period.buckets.map((bucket, n) => ({ bucket, sums: sums[n]! })).filter(isTold(period));
  };

/** A report over the asked days as a whole. */
export const reportOver =
  <Filters extends object, Result>(
    read: (scope: OrganizationScope, period: Period, filters: Filters) => Promise<Result>,
  ) =>
  async (scope: OrganizationScope, input: { period: PeriodInput } & Filters): Promise<Result> => {
    const { period, filters } = await open<Filters & { agentId?: string | undefined }>(scope, input);
    return read(scope, period, filters);
  };
