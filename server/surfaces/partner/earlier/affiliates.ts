import * as contract from '#contracts/partner/earlier/affiliates.ts';
import { readHistory } from '#server/domain/partners/affiliates/history.ts';
import { readPerformance } from '#server/domain/partners/affiliates/performance.ts';
import { listTiers } from '#server/domain/partners/affiliates/tiers.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { readDateRange } from '../date-range.ts';
import { toAmount } from '../present-account.ts';
import { presentEarlierLicense, presentEarlierPerformance } from './present-affiliates.ts';

const partnerRoute = route<PartnerScope>();

export const earlierAffiliateRoutes: Route<PartnerScope>[] = [
  partnerRoute(contract.listEarlierLicenses, async ({ query, scope }) => {
    const { first, second } = await listTiers(scope, readDateRange(query));
    return { tier1: first.map(presentEarlierLicense), tier2: second.map(presentEarlierLicense) };
  }),
  partnerRoute(contract.getEarlierPerformance, async ({ query, scope }) => ({
    result: presentEarlierPerformance(await readPerformance(scope, readDateRange(query))),
  })),
  partnerRoute(contract.getAffiliateHistory, async ({ scope }) => ({
    result: (await readHistory(scope)).map(({ month, trials, paid, earnedCents }) => ({
      date: month,
      trials,
      paid,
      commission: toAmount(earnedCents),
    })),
  })),
];
