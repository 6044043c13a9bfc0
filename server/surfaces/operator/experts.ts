import * as contract from '#contracts/operator/experts.ts';
import { addComment, removeComment } from '#server/domain/partners/experts/comments.ts';
import type { ExpertRecord } from '#server/domain/partners/experts/profile.ts';
import { listExperts, reviewExpert } from '#server/domain/partners/experts/review.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';

const DEFAULT_LIMIT = 25;

const present = ({
  partnerId,
  status,
  company,
  shortDescription,
  website,
  updatedAt,
}: ExpertRecord): contract.Expert => ({
  partner_id: String(partnerId),
  // Drafts are not experts yet and are never listed.
  status: status as contract.Expert['status'],
  company,
  short_description: shortDescription,
  website,
  updated_at: toTimestamp(updatedAt),
});

const operatorRoute = route<PlatformScope>();

export const expertRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.listExperts, async ({ query, scope }) => {
    const { limit = DEFAULT_LIMIT, ...filters } = query;
    const { experts, next } = await listExperts(scope, { ...filters, limit });
    return { experts: experts.map(present), ...(next === undefined ? {} : { next }) };
  }),
  operatorRoute(contract.approveExpert, async ({ params, scope }) =>
    present(await reviewExpert(scope, { partnerId: Number(params.partner_id), status: 'approved' })),
  ),
  operatorRoute(contract.rejectExpert, async ({ params, scope }) =>
    present(await reviewExpert(scope, { partnerId: Number(params.partner_id), status: 'rejected' })),
  ),
  operatorRoute(contract.createExpertComment, async ({ params, body, scope }) => {
    const added = await addComment(scope, { ...body, partnerId: Number(params.partner_id) });
    const { id, comment, author, website, createdAt } = added;
    return { id, comment, author, website, created_at: toTimestamp(createdAt) };
  }),
  operatorRoute(contract.deleteExpertComment, async ({ params, scope }) => {
    await removeComment(scope, { partnerId: Number(params.partner_id), id: Number(params.id) });
  }),
];
