import * as contract from '#contracts/partner/earlier/profile.ts';
import { getProfile, updateProfile } from '#server/domain/partners/accounts/accounts.ts';
import { readPartnerRates } from '#server/domain/partners/affiliates/partner-rates.ts';
import { findExpertListing } from '#server/domain/partners/experts/ranking.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { splitName } from './full-name.ts';
import { presentEarlierProfile } from './present.ts';

const partnerRoute = route<PartnerScope>();

export const earlierProfileRoutes: Route<PartnerScope>[] = [
  partnerRoute(contract.getEarlierProfile, async ({ scope }) => {
    const [partner, terms, expertListing] = await Promise.all([
      getProfile(scope),
      readPartnerRates(scope),
      findExpertListing(scope),
    ]);
    return presentEarlierProfile(scope.services, partner, terms, expertListing);
  }),
  partnerRoute(contract.updateEarlierProfile, async ({ body, scope }) => {
    await updateProfile(scope, {
      ...splitName(body.full_name, await getProfile(scope)),
      contactName: body.contact_name,
      contactEmail: body.contact_email,
      websites: body.websites,
      sendMonthlySummary: body.send_monthly_summary,
      sendResellerWeeklySummary: body.send_reseller_weekly_summary,
      sendNewsletter: body.send_newsletter,
      sendNotifications: body.send_notifications,
    });
    return {};
  }),
];
