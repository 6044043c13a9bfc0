import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, buildPartner } from '#server/testing/builders/factories.ts';
import { earn, partnerScope } from '#server/testing/builders/ledger.ts';
import { buildReferredPartner, callOperator, refer } from '#server/testing/builders/referrals.ts';
import { callAs } from '../../../testing/http/partner.ts';

const test = useTestApp();
let partner: Awaited<ReturnType<typeof buildPartner>>;

beforeEach(async () => {
  partner = await buildPartner(test);
});

const call = callAs(
  () => test,
  () => partner.token,
);
const operator = callOperator(() => test);
const bring = async (about: Parameters<typeof refer>[3] = {}, who: { id: number } = partner) => {
  const shop = await buildOrganization(test, { online: false });
  await refer(test, who, shop, about);
  return shop;
};
const pay = (id: string) =>
  operator('POST', `/organizations/${id}/payments`, {
    ...{ external_id: id, product: 'mainchat', amount_cents: 10_000, currency: 'USD' },
    ...{ plan: 'business', billing_cycle: 'annual', seats: 7 },
  });

describe('the licenses in their earlier shape', () => {
  it('licenses of both tiers are listed with masked clients', async () => {
    const referred = await buildReferredPartner(test, partner);
    const marks = { utmSource: 'blog', utmMedium: 'mail', utmContent: 'top', utmTerm: 'chat', utmCampaign: 'pp_x' };
    const own = await bring({ ...marks, installedAt: test.clock.now() });
    const theirs = await bring({ ...marks, program: 'solution' }, referred);
    await pay(own.id);
    await test.context.database.kysely
      .insertInto('chatRollups')
      .values({
        ...{ organizationId: own.id, dimension: '', resolution: 'd', at: new Date('2026-03-01'), chats: 12 },
        ...{ autoInvites: 0, manualInvites: 0, good: 0, bad: 0, notReplied: 0, firstResponses: 0 },
        ...{ firstResponseMs: 0, responses: 0, responseMs: 0, chattingMs: 0 },
      })
      .execute();
    const { status, body } = await call('GET', '/affiliates/licenses?shape=earlier');
    expect(status).toBe(200);
    expect(body).toEqual({
      tier1: [
        {
          client_email: 'o***@s***.test',
          ...{ creation_timestamp: '2026-03-02 10:00:00', end_timestamp: '2027-03-02 10:00:00' },
          ...{ cc_added: true, paid: true, seats: 7, plan: 'business', billing_cycle: 'annual' },
          ...{ chat_installed: true, conversations: 12, total_commission: 20, commission_percent: 20 },
          ...{ utm_source: 'blog', utm_medium: 'mail', utm_content: 'top', utm_term: 'chat', utm_campaign: 'pp_x' },
          blocked: false,
        },
      ],
      tier2: [
        {
          client_email: 'o***@s***.test',
          ...{ creation_timestamp: '2026-03-02 10:00:00', end_timestamp: '2026-03-16 10:00:00' },
          ...{ cc_added: false, paid: false, seats: 0, plan: 'team', billing_cycle: '' },
          ...{ chat_installed: false, conversations: 0, total_commission: 0, commission_percent: 5 },
          ...{ utm_source: '', utm_medium: '', utm_content: '', utm_term: '', utm_campaign: '' },
          blocked: false,
        },
      ],
    });
    for (const { owner } of [own, theirs]) expect(JSON.stringify(body)).not.toContain(owner.login);
    await pay(theirs.id);
    const [second] = (await call('GET', '/affiliates/licenses?shape=earlier')).body.tier2;
    expect(second).toMatchObject({ paid: true, total_commission: 5 });
    const before = '/affiliates/licenses?shape=earlier&date_to=2026-03-01';
    expect((await call('GET', before)).body).toEqual({ tier1: [], tier2: [] });
    expect((await call('GET', '/affiliates/licenses?shape=earlier&date_to=x')).status).toBe(400);
  });
});

describe('the performance in its earlier shape', () => {
  it('the performance is grouped by UTM values, with percents of two decimals', async () => {
    const [campaign] = (await call('GET', '/affiliates/campaigns/search?state=active&product=mainchat')).body.results;
    const scope = partnerScope(test, partner.id);
    const marks = { campaignId: campaign.id, utmMedium: 'mail', utmContent: '', utmTerm: '' };
    await scope.insert('clickDays', { ...marks, day: '2026-03-01', clicks: 7 }).execute();
    await scope.insert('clickMonths', { ...marks, month: '2026-03-01', clicks: 7 }).execute();
    const license = { ...marks, utmCampaign: 'pp_main-chat' };
    const shop = await bring({ ...license, installedAt: test.clock.now(), tenthChatAt: test.clock.now() });
    await bring({ ...license, product: 'chatbot', convertedAt: test.clock.now() });
    await bring(license);
    await earn(test, partner, 1234, { organizationId: shop.id });
    expect((await call('GET', '/affiliates/performance?shape=earlier')).body).toEqual({
      result: [
        {
          ...{ campaign: 'pp_main-chat', medium: 'mail', content: '', term: '' },
          ...{ clicks: 7, trials: 3, trial_percent: 42.86, paid: 1, paid_percent: 33.33 },
          ...{ commission: 12.34, chat_installations: 1, aha: 1 },
        },
      ],
    });
    const early = '/affiliates/performance?shape=earlier&date_to=2026-03-01';
    expect((await call('GET', early)).body.result).toMatchObject([{ clicks: 7, trials: 0, paid_percent: 0 }]);
  });
});

describe('the history of an affiliate', () => {
  it('the history has the current month and the eleven before', async () => {
    await bring({ createdAt: new Date('2025-04-01T00:00:00Z'), convertedAt: new Date('2026-02-28T23:59:59Z') });
    await bring({ createdAt: new Date('2025-03-31T23:59:59Z') });
    await earn(test, partner, 1050);
    const { result } = (await call('GET', '/affiliates/history')).body;
    expect(result).toHaveLength(12);
    expect(result[0]).toEqual({ date: '2025-04', trials: 1, paid: 0, commission: 0 });
    expect(result[10]).toEqual({ date: '2026-02', trials: 0, paid: 1, commission: 0 });
    expect(result[11]).toEqual({ date: '2026-03', trials: 0, paid: 0, commission: 10.5 });
  });
});
