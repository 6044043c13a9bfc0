import * as contract from '#contracts/partner/profile.ts';
import { getProfile, updateProfile } from '#server/domain/partners/accounts/accounts.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentProfile } from './present.ts';

const partnerRoute = route<PartnerScope>();

export const profileRoutes: Route<PartnerScope>[] = [
  partnerRoute(contract.getProfile, async ({ scope }) => presentProfile(await getProfile(scope))),
  partnerRoute(contract.updateProfile, async ({ body, scope }) => {
    await updateProfile(scope, {
      firstName: body.first_name,
      lastName: body.last_name,
      contactName: body.contact_name,
      contactEmail: body.contact_email,
      sendMonthlySummary: body.send_monthly_summary,
      sendResellerWeeklySummary: body.send_reseller_weekly_summary,
      sendNewsletter: body.send_newsletter,
      sendNotifications: body.send_notifications,
    });
  }),
];
