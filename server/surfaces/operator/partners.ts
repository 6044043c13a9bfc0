import * as contract from '#contracts/operator/partners.ts';
import { invalid } from '#server/domain/errors.ts';
import { createPartner, type PartnerRecord } from '#server/domain/partners/accounts/accounts.ts';
import {
  getPartner,
  listPartners,
  type PartnerDetails,
  updatePartner,
} from '#server/domain/partners/accounts/manage-partners.ts';
import type { FoundRate } from '#server/domain/partners/rates/resolve.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { readInstant } from './read-instant.ts';

const DEFAULT_LIMIT = 25;

const present = (partner: PartnerRecord): contract.Partner => ({
  partner_id: String(partner.id),
  login: partner.login,
  first_name: partner.firstName,
  last_name: partner.lastName,
  contact_name: partner.contactName,
  contact_email: partner.contactEmail,
  solution_status: partner.solutionStatus,
  blocked: partner.blocked,
  ...(partner.referredBy === null ? {} : { referred_by: String(partner.referredBy) }),
  created_at: toTimestamp(partner.createdAt),
});

const presentRate = ({ percent, rule, endsAt }: FoundRate) => ({
  percent,
  rule,
  ...(endsAt === null ? {} : { ends_at: toTimestamp(endsAt) }),
});

const presentDetails = ({ partner, balances, rates }: PartnerDetails): contract.PartnerDetails => ({
  ...present(partner),
  balance: {
    available_cents: balances.available,
    held_cents: balances.held,
    pending_cents: balances.pending,
    withdrawn_cents: balances.withdrawn,
  },
  commission: presentRate(rates.commission),
  discount: presentRate(rates.discount),
  second_tier: presentRate(rates.secondTier),
});

const readPercent = (name: string, percent: number | undefined, endsAt: string | undefined) => {
  const until = readInstant(`${name}_ends_at`, endsAt);
  if (percent !== undefined) return { percent, endsAt: until };
  if (until) throw invalid(`${name}_percent`, `is required with \`${name}_ends_at\``);
  return undefined;
};

const operatorRoute = route<PlatformScope>();

export const partnerRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.createPartner, async ({ body, scope }) => {
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
  operatorRoute(contract.listPartners, async ({ query, scope }) => {
    const { partners, next } = await listPartners(scope, { limit: DEFAULT_LIMIT, ...query });
    return { partners: partners.map(present), ...(next === undefined ? {} : { next }) };
  }),
  operatorRoute(contract.getPartner, async ({ params, scope }) =>
    presentDetails(await getPartner(scope, Number(params.partner_id))),
  ),
  operatorRoute(contract.updatePartner, async ({ params, body, scope }) =>
    presentDetails(
      await updatePartner(scope, {
        id: Number(params.partner_id),
        solutionStatus: body.solution_status,
        blocked: body.blocked,
        commission: readPercent('commission', body.commission_percent, body.commission_ends_at),
        discount: readPercent('discount', body.discount_percent, body.discount_ends_at),
        secondTier: readPercent('second_tier', body.second_tier_percent, body.second_tier_ends_at),
      }),
    ),
  ),
];
