import * as contract from '#contracts/operator/rates.ts';
import { createRate, endRate, listRates } from '#server/domain/partners/rates/manage-rates.ts';
import type { Rate } from '#server/domain/partners/rates/resolve.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { readInstant } from './read-instant.ts';

const DEFAULT_LIMIT = 25;

/** The initial rates have no start date. */
const presentStart = (startsAt: Date | number) =>
  startsAt instanceof Date ? { starts_at: toTimestamp(startsAt) } : {};

const present = (rate: Rate): contract.Rate => ({
  id: rate.id,
  kind: rate.kind,
  ...(rate.program === null ? {} : { program: rate.program }),
  ...(rate.product === null ? {} : { product: rate.product }),
  ...(rate.forPartnerId === null ? {} : { partner_id: String(rate.forPartnerId) }),
  ...(rate.forCampaignId === null ? {} : { campaign_id: rate.forCampaignId }),
  percent: Number(rate.percent),
  ...presentStart(rate.startsAt),
  ...(rate.endsAt === null ? {} : { ends_at: toTimestamp(rate.endsAt) }),
  created_at: toTimestamp(rate.createdAt),
});

const readId = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const operatorRoute = route<PlatformScope>();

export const rateRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.createRate, async ({ body, scope }) =>
    present(
      await createRate(scope, {
        kind: body.kind,
        percent: body.percent,
        program: body.program,
        product: body.product,
        forPartnerId: readId(body.partner_id),
        forCampaignId: body.campaign_id,
        startsAt: readInstant('starts_at', body.starts_at),
        endsAt: readInstant('ends_at', body.ends_at),
      }),
    ),
  ),
  operatorRoute(contract.listRates, async ({ query, scope }) => {
    const { partner_id: partnerId, ...page } = query;
    const { rates, next } = await listRates(scope, { limit: DEFAULT_LIMIT, ...page, partnerId: readId(partnerId) });
    return { rates: rates.map(present), ...(next === undefined ? {} : { next }) };
  }),
  operatorRoute(contract.deleteRate, async ({ params, scope }) => {
    await endRate(scope, { id: Number(params.rate_id) });
  }),
];
