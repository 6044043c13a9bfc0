import * as contract from '#contracts/operator/partners.ts';
import { createPartner } from '#server/domain/partners/accounts.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';

export const partnerRoutes: Route<PlatformScope>[] = [
  route<PlatformScope>()(contract.createPartner, async ({ body, scope }) => {
    const { partnerId, token } = await createPartner(scope, {
      login: body.login,
      password: body.password,
      firstName: body.first_name,
      lastName: body.last_name,
      contactName: body.contact_name,
      contactEmail: body.contact_email,
      referredBy: body.referred_by === undefined ? undefined : Number(body.referred_by),
    });
    return { partner_id: String(partnerId), token };
  }),
];
