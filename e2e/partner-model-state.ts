import type { PartnerNumbers } from './partner-views.ts';

/** The expected state, computed by hand. Partners, licenses and campaigns are identified by index. */
export interface ModelPartner {
  id: string;
  login: string;
  token: string;
  /** The referrer. */
  referrer: number | undefined;
  blocked: boolean;
  /** Commission percents of the first and second tier. */
  commission: number;
  second: number;
}

export interface ModelLink {
  partner: number;
  id: number;
  slug: string;
  code: string;
  /** A percent for this partner only. */
  percent: number | undefined;
  /** A default campaign, which cannot be disabled. */
  isDefault: boolean;
  disabled: boolean;
}

export interface ModelClick {
  visitor: number;
  link: number;
  at: number;
}

export interface ModelLicense {
  id: string;
  partner: number | undefined;
  link: number | undefined;
  status: 'trial' | 'active' | 'expired' | 'blocked';
  qualified: boolean;
}

export interface ModelPayment {
  license: number;
  amount: number;
  /** Earned cents by partner. */
  earned: Map<number, { tier: 1 | 2; cents: number }>;
}

export interface ModelRefund {
  payment: string;
  amount: number;
  applied: boolean;
}

export interface ModelWithdrawal {
  id: number;
  partner: number;
  amount: number;
  status: 'pending' | 'paid' | 'rejected';
}

export interface Model {
  partners: ModelPartner[];
  links: ModelLink[];
  clicks: ModelClick[];
  licenses: ModelLicense[];
  payments: Map<string, ModelPayment>;
  /** In the order of reporting. */
  refunds: Map<string, ModelRefund>;
  withdrawals: ModelWithdrawal[];
}

/** Rounds to the nearest cent, half a cent up. */
export const proportion = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((2 * amount * part + whole) / (2 * whole));

/** Percents have at most two decimals. */
export const percentOf = (amount: number, percent: number): number =>
  proportion(amount, Math.round(percent * 100), 10_000);

const HOUR_MS = 3_600_000;

/** Counts a click once per visitor, link and hour, if the partner and the campaign are active. */
export const countsAsClick = ({ clicks, links, partners }: Model, { visitor, link, at }: ModelClick): boolean =>
  !links[link]!.disabled &&
  !partners[links[link]!.partner]!.blocked &&
  !clicks.some((one) => one.visitor === visitor && one.link === link && at - one.at < HOUR_MS);

export const lastClickOf = ({ clicks }: Model, visitor: number): ModelClick | undefined =>
  clicks.filter((one) => one.visitor === visitor).at(-1);

/** The partners who earn from a payment now. */
export const earnersOf = ({ licenses, links, partners }: Model, license: number, amount: number) => {
  const earned: ModelPayment['earned'] = new Map();
  const { partner: first, link } = licenses[license]!;
  if (first === undefined) return earned;
  const { blocked, commission, referrer } = partners[first]!;
  const percent = (link === undefined ? undefined : links[link]!.percent) ?? commission;
  if (!blocked) earned.set(first, { tier: 1, cents: percentOf(amount, percent) });
  if (referrer !== undefined && !partners[referrer]!.blocked)
    earned.set(referrer, { tier: 2, cents: percentOf(amount, partners[referrer]!.second) });
  return earned;
};

const refundedOf = ({ refunds }: Model, name: string): number =>
  [...refunds.values()]
    .filter(({ payment, applied }) => applied && payment === name)
    .reduce((sum, { amount }) => sum + amount, 0);

export const fits = (model: Model, name: string, amount: number): boolean =>
  refundedOf(model, name) + amount <= model.payments.get(name)!.amount;

/** Applies refunds that waited for the payment, as far as they fit. */
export const applyWaiting = (model: Model, name: string): void => {
  for (const refund of model.refunds.values())
    if (refund.payment === name && !refund.applied) refund.applied = fits(model, name, refund.amount);
};

const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);

/** Recomputes all numbers from scratch. */
export const computePartnerNumbers = (model: Model, partner: number): PartnerNumbers => {
  const { clicks, links, licenses, partners, payments, withdrawals } = model;
  const own = licenses.filter((one) => one.partner === partner);
  const paidFor = new Set([...payments.values()].map(({ license }) => license));
  const earnings = [...payments].flatMap(([name, { license, amount, earned }]) => {
    const mine = earned.get(partner);
    if (!mine) return [];
    const cents = mine.cents - proportion(mine.cents, refundedOf(model, name), amount);
    return [{ tier: mine.tier, cents, held: licenses[license]!.status === 'blocked' }];
  });
  const earnedBy = (holds: (one: (typeof earnings)[number]) => boolean): number =>
    sum(earnings.filter(holds).map(({ cents }) => cents));
  const withdrawnAs = (status: ModelWithdrawal['status']): number =>
    sum(withdrawals.filter((one) => one.partner === partner && one.status === status).map(({ amount }) => amount));
  const withStatus = (status: ModelLicense['status']): number => own.filter((one) => one.status === status).length;
  const [pending, withdrawn] = [withdrawnAs('pending'), withdrawnAs('paid')];
  return {
    clicks: clicks.filter(({ link }) => links[link]!.partner === partner).length,
    trials: own.length,
    qualified: own.filter(({ qualified }) => qualified).length,
    converted: own.filter((one) => paidFor.has(licenses.indexOf(one))).length,
    onTrial: withStatus('trial'),
    paid: withStatus('active'),
    expired: withStatus('expired'),
    partnersReferred: partners.filter(({ referrer }) => referrer === partner).length,
    own: earnedBy(({ tier }) => tier === 1),
    second: earnedBy(({ tier }) => tier === 2),
    available: earnedBy(({ held }) => !held) - pending - withdrawn,
    held: earnedBy(({ held }) => held),
    ...{ pending, withdrawn },
  };
};
