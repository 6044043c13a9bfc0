import { listExpertsByStatus } from '#server/storage/platform-experts.ts';
import type { ExpertStatus } from '#server/storage/tables/experts.ts';
import { requireOperator } from '../../access.ts';
import { notFound } from '../../errors.ts';
import { openPartnerScope, type PartnerScope, type PlatformScope } from '../../scope.ts';
import { type ExpertRecord, findExpert } from './profile.ts';

/** A partner scope for the operator. */
export const enterExpert = async (scope: PlatformScope, partnerId: number): Promise<PartnerScope> => {
  requireOperator(scope.actor);
  const inside = openPartnerScope(scope.services, scope.actor, partnerId);
  if (!(await findExpert(inside))) throw notFound('Expert');
  return inside;
};

/** Approves or rejects an expert for the marketplace. Idempotent. */
export const reviewExpert = async (
  scope: PlatformScope,
  { partnerId, status }: { partnerId: number; status: 'approved' | 'rejected' },
): Promise<ExpertRecord> => {
  const inside = await enterExpert(scope, partnerId);
  return inside.update('experts').set({ status }).returningAll().executeTakeFirstOrThrow();
};

export interface ExpertPage {
  experts: ExpertRecord[];
  /** The id of the last expert of this page, if there are more. */
  next?: number;
}

export const listExperts = async (
  scope: PlatformScope,
  { status, after = 0, limit }: { status?: ExpertStatus | undefined; after?: number | undefined; limit: number },
): Promise<ExpertPage> => {
  requireOperator(scope.actor);
  const found = await listExpertsByStatus(scope.executor, { status, after, limit: limit + 1 });
  const experts = found.slice(0, limit);
  return { experts, ...(found.length > limit ? { next: experts.at(-1)!.partnerId } : {}) };
};
