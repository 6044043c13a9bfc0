import { requireAgent } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type Bucket, firstParts } from './buckets.ts';
import { type Period, type PeriodInput, resolvePeriod } from './period.ts';

export interface Reported<Sums> {
  bucket: Bucket;
  sums: Sums;
}

/** Matches no agent, so that reports about unknown agents are empty. No login is empty. */
const UNKNOWN_AGENT = '';

const resolveAgent = async (scope: OrganizationScope, login: string): Promise<string> => {
  const agent = await scope
    .from('agents')
    .where('id', '=', login.toLowerCase())
    .where('deletedAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  return agent?.id ?? UNKNOWN_AGENT;
};

/** All agents may read reports. */
const openReport = async <Filters extends { agentId?: string | undefined }>(
  scope: OrganizationScope,
  { period: periodInput, ...filters }: { period: PeriodInput } & Filters,
) => {
  requireAgent(scope.actor);
  await scope.services.projections.applyPending(scope.organizationId, 'report_facts');
  const period = await resolvePeriod(scope, periodInput);
  const { agentId } = filters;
  return {
    period,
    filters: (agentId === undefined
      ? filters
      : { ...filters, agentId: await resolveAgent(scope, agentId) }) as unknown as Filters,
  };
};

/** Only the first part of an hour is reported, and no hour of a day that the time zone skipped. */
const isReported = ({ groupBy, buckets }: Period) => {
  const firsts = firstParts(buckets);
  return ({ bucket: { start, end } }: Reported<unknown>, n: number): boolean =>
    firsts[n] === n && (groupBy !== 'hour' || start < end);
};

/** Creates a report with one item per bucket. */
export const reportBy =
  <Filters extends object, Sums>(
    sum: (scope: OrganizationScope, period: Period, filters: Filters) => Promise<Sums[]>,
  ) =>
  async (scope: OrganizationScope, input: { period: PeriodInput } & Filters): Promise<Reported<Sums>[]> => {
    const { period, filters } = await openReport<Filters & { agentId?: string | undefined }>(scope, input);
    const sums = await sum(scope, period, filters);
    return period.buckets.map((bucket, n) => ({ bucket, sums: sums[n]! })).filter(isReported(period));
  };

/** Creates a report about the whole period. */
export const reportOver =
  <Filters extends object, Result>(
    read: (scope: OrganizationScope, period: Period, filters: Filters) => Promise<Result>,
  ) =>
  async (scope: OrganizationScope, input: { period: PeriodInput } & Filters): Promise<Result> => {
    const { period, filters } = await openReport<Filters & { agentId?: string | undefined }>(scope, input);
    return read(scope, period, filters);
  };
