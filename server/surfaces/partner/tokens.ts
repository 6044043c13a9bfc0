import * as contract from '#contracts/partner/tokens.ts';
import { createToken, listTokens, revokeToken } from '#server/domain/partners/accounts/tokens.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentToken } from './present.ts';

const partnerRoute = route<PartnerScope>();

export const tokenRoutes: Route<PartnerScope>[] = [
  partnerRoute(contract.createToken, async ({ body, scope }) =>
    presentToken(await createToken(scope, { label: body.label })),
  ),
  partnerRoute(contract.listTokens, async ({ scope }) => ({ result: (await listTokens(scope)).map(presentToken) })),
  partnerRoute(contract.revokeToken, async ({ params, scope }) => {
    await revokeToken(scope, { id: Number(params.id) });
  }),
];
