import fc from 'fast-check';
import { expect } from 'vitest';
import { PASSWORD } from './conformance/partner/index.ts';
import { callOperator, expectStatus, type Fixture, pick, realLicenses, VISITORS } from './partner-model-fixture.ts';
import { AMOUNTS, decide, pay, payAndRefund, refund, withdraw } from './partner-model-money.ts';
import { countsAsClick, lastClickOf, type ModelLicense } from './partner-model-state.ts';

/** Limited, because hashing a password for each is slow. */
const MAX_LICENSES = 8;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

type Kind = 'person' | 'head' | 'bot' | 'prefetch';

const click = async (fixture: Fixture, visitor: number, linkAt: number, kind: Kind): Promise<void> => {
  const { test, model, jars } = fixture;
  const link = linkAt % model.links.length;
  const cookie = jars[visitor];
  const response = await test.app.inject({
    method: kind === 'head' ? 'HEAD' : 'GET',
    url: `/go/${model.links[link]!.code}`,
    headers: {
      'user-agent': kind === 'bot' ? BOT : `${BROWSER} ${fixture.name}-${visitor}`,
      ...(kind === 'prefetch' ? { 'sec-purpose': 'prefetch' } : {}),
      ...(cookie ? { cookie } : {}),
    },
  });
  expect(response.statusCode).toBe(302);
  jars[visitor] = String(response.headers['set-cookie']).split(';')[0]!;
  const at = { visitor, link, at: test.clock.now().getTime() };
  if (kind === 'person' && countsAsClick(model, at)) model.clicks.push(at);
};

type How = 'cookie' | 'named' | 'none' | 'self' | 'selfPlus';

/** The partner who gets the referral: the one named in the link, otherwise that of the last click. */
const attribute = (
  { model }: Fixture,
  how: How,
  visitor: number,
  link: number,
): Pick<ModelLicense, 'partner' | 'link'> => {
  const named = how !== 'cookie' && how !== 'none' && !model.links[link]!.disabled ? link : undefined;
  const by = named ?? (how === 'none' ? undefined : lastClickOf(model, visitor)?.link);
  if (by === undefined) return { partner: undefined, link: undefined };
  const { partner } = model.links[by]!;
  const isSelf = how.startsWith('self') && partner === model.links[link]!.partner;
  return model.partners[partner]!.blocked || isSelf ? { partner: undefined, link: undefined } : { partner, link: by };
};

const signUp = async (
  fixture: Fixture,
  how: How,
  visitor: number,
  linkAt: number,
  concurrency: number,
): Promise<void> => {
  const { test, model, jars } = fixture;
  const link = linkAt % model.links.length;
  const { partner, slug } = model.links[link]!;
  const number = model.licenses.length;
  if (number >= MAX_LICENSES) return;
  const { id, login } = model.partners[partner]!;
  const email =
    how === 'self'
      ? login.toUpperCase()
      : how === 'selfPlus'
        ? login.replace('@', `+${number}@`)
        : `${fixture.name}-${number}@shop.test`;
  const trail = how === 'cookie' || how === 'none' ? {} : { a: id, utm_campaign: slug };
  const payload = { email, name: 'O', password: PASSWORD, organization: 'Shop', ...trail };
  const cookie = how === 'none' ? undefined : jars[visitor];
  const headers = cookie ? { cookie } : {};
  const answers = await Promise.all(
    Array.from({ length: concurrency }, () => test.app.inject({ method: 'POST', url: '/signup', payload, headers })),
  );
  const { partner: by, link: campaign } = attribute(fixture, how, visitor, link);
  for (const answer of answers) {
    // An address can sign up several times; it is confirmed by mail later.
    expect(answer.statusCode).toBe(201);
    const { organization_id } = answer.json();
    model.licenses.push({ id: organization_id, partner: by, link: campaign, status: 'trial', qualified: false });
  }
};

const blockLicense = async (fixture: Fixture, which: number, isBlocked: boolean): Promise<void> => {
  const at = pick(realLicenses(fixture), which);
  if (at === undefined) return;
  const license = fixture.model.licenses[at]!;
  const isPaid = [...fixture.model.payments.values()].some((one) => one.license === at);
  const status = isBlocked ? 'blocked' : isPaid ? 'active' : 'trial';
  expectStatus('license', await callOperator(fixture, 'PATCH', `/organizations/${license.id}`, { status }), 200);
  license.status = status;
};

const changePartner = async (
  fixture: Fixture,
  at: number,
  change: { blocked?: boolean; commission?: number; second?: number },
) => {
  const partner = fixture.model.partners[at]!;
  const { blocked, commission: commission_percent, second: second_tier_percent } = change;
  const body = { blocked, commission_percent, second_tier_percent };
  expectStatus('partner', await callOperator(fixture, 'PATCH', `/partners/${partner.id}`, body), 200);
  Object.assign(partner, change);
};

const setCampaignPercent = async (fixture: Fixture, linkAt: number, percent: number): Promise<void> => {
  const link = fixture.model.links[linkAt % fixture.model.links.length]!;
  const about = {
    kind: 'commission',
    percent,
    partner_id: fixture.model.partners[link.partner]!.id,
    campaign_id: link.id,
  };
  expectStatus('rate', await callOperator(fixture, 'POST', '/rates', about), 201);
  link.percent = percent;
};

const disable = async ({ model, sendRequest }: Fixture, linkAt: number): Promise<void> => {
  const link = model.links[linkAt % model.links.length]!;
  const { token } = model.partners[link.partner]!;
  const answer = await sendRequest('DELETE', `/v2/partners/affiliates/campaigns/${link.id}`, token);
  const stays = link.isDefault || link.disabled;
  expectStatus('disable', answer, stays ? 403 : 204);
  if (!stays) link.disabled = true;
};

/** The widget is seen on a website, unless the license has ended. */
const install = async (fixture: Fixture, which: number): Promise<void> => {
  const at = pick(realLicenses(fixture), which);
  if (at === undefined) return;
  const license = fixture.model.licenses[at]!;
  const response = await fixture.test.app.inject({
    method: 'POST',
    url: '/v2/customer/token',
    headers: { origin: 'https://shop.test' },
    payload: { grant_type: 'cookie', client_id: 'x', response_type: 'token', organization_id: license.id },
  });
  if (response.statusCode === 200) license.qualified = true;
  await fixture.test.context.partners.milestones.drain();
};

export type Step = (fixture: Fixture) => Promise<void>;

const step = <T extends unknown[]>(
  run: (fixture: Fixture, ...args: T) => Promise<void>,
  ...args: { [K in keyof T]: fc.Arbitrary<T[K]> }
) =>
  fc.tuple(...args).map((values) => {
    const runStep: Step = (fixture) => run(fixture, ...(values as T));
    // Printed on failure.
    return Object.assign(runStep, { toString: () => `${run.name}(${JSON.stringify(values)})` });
  });

const MINUTE_MS = 60_000;
const passTime = async ({ test }: Fixture, minutes: number): Promise<void> => test.clock.advance(minutes * MINUTE_MS);

const visitor = fc.nat(VISITORS - 1);
const link = fc.nat(5);
const license = fc.nat(5);
const payment = fc.nat(AMOUNTS.length - 1);
const partner = fc.nat(2);
const percent = fc.constantFrom(0, 7.25, 20, 33.33, 100);
const concurrency = fc.constantFrom(1, 1, 2, 3);
const kind = fc.constantFrom<Kind>('person', 'person', 'person', 'head', 'bot', 'prefetch');
const how = fc.constantFrom<How>('cookie', 'cookie', 'named', 'named', 'none', 'self', 'selfPlus');
const decisions = fc.constantFrom<('pay' | 'reject')[]>(['pay'], ['reject'], ['pay', 'reject'], ['pay', 'pay']);
const change = fc.oneof(
  fc.record({ blocked: fc.boolean() }),
  fc.record({ commission: percent }),
  fc.record({ second: percent }),
);

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: step(click, visitor, link, kind) },
  { weight: 6, arbitrary: step(signUp, how, visitor, link, concurrency) },
  { weight: 8, arbitrary: step(pay, payment, concurrency) },
  { weight: 6, arbitrary: step(refund, payment, fc.nat(2), fc.integer({ min: 1, max: 7 }), concurrency) },
  { weight: 2, arbitrary: step(payAndRefund, payment, fc.nat(2)) },
  { weight: 3, arbitrary: step(blockLicense, license, fc.boolean()) },
  { weight: 3, arbitrary: step(changePartner, partner, change) },
  { weight: 2, arbitrary: step(setCampaignPercent, link, percent) },
  { weight: 1, arbitrary: step(disable, link) },
  { weight: 4, arbitrary: step(withdraw, partner, concurrency) },
  { weight: 3, arbitrary: step(decide, fc.nat(5), decisions) },
  { weight: 2, arbitrary: step(install, license) },
  { weight: 2, arbitrary: step(passTime, fc.constantFrom(10, 61, 600)) },
);
