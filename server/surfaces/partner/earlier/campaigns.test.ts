import { beforeEach, describe, expect, it } from 'vitest';
import { createCoupon } from '#server/domain/partners/coupons/coupons.ts';
import { openPlatformScope } from '#server/domain/scope.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
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
const CAMPAIGNS = '/affiliates/campaigns';

describe('campaigns in their earlier shape', () => {
  it('campaigns of the earlier shape default to mainchat', async () => {
    const { id: coupon_id } = await createCoupon(openPlatformScope(test.context.services, { kind: 'operator' }), {
      ...{ partnerId: partner.id, label: 'Ten off', percentOff: 10 },
    });
    const body = { name: 'Summer sale', trial_duration: 30, coupon_id, link: 'pricing/' };
    expect(await call('POST', CAMPAIGNS, body)).toMatchObject({
      status: 201,
      body: {
        ...{
          product: 'mainchat',
          name: 'Summer sale',
          slug: 'pp_summer-sale',
          trial_duration: 30,
          discount: 'Ten off',
        },
        url: `http://parley.test/products/mainchat/pricing/?a=${partner.id}&utm_campaign=pp_summer-sale`,
      },
    });
    expect((await call('POST', CAMPAIGNS, 'name=Winter+sale&trial_duration=60&link=/a/b')).body.url).toContain(
      '/products/mainchat/a/b?',
    );
    expect((await call('POST', CAMPAIGNS, { ...body, name: 'SUMMER sale' })).status).toBe(409);
    expect((await call('POST', CAMPAIGNS, { ...body, name: 'Other', coupon_id: 999_999 })).status).toBe(403);
  });

  it('campaigns of the earlier shape require a trial of 30 to 60 days', async () => {
    for (const trial_duration of [undefined, 14, 29, 61])
      expect(await call('POST', CAMPAIGNS, { name: 'Summer sale', trial_duration })).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: 'trial_duration' }] } },
      });
    expect((await call('POST', `${CAMPAIGNS}?product=mainchat`, { name: 'Summer sale' })).status).toBe(201);
  });

  it.each(['https://evil.test/', '//evil.test', '../go/x', 'a/../../x', 'a b', 'a?b', 'a\\b', '/', ''])(
    'a campaign of the earlier shape cannot lead to %j',
    async (link) => {
      expect(await call('POST', CAMPAIGNS, { name: 'Summer sale', trial_duration: 30, link })).toMatchObject({
        status: 400,
        body: { error: { details: [{ field: 'link' }] } },
      });
    },
  );

  it('disabling a campaign answers 200 by slug and 204 by id', async () => {
    const make = async (name: string) => (await call('POST', CAMPAIGNS, { name, trial_duration: 30 })).body;
    const [one, other] = [await make('Summer sale'), await make('Winter sale')];
    expect(await call('DELETE', `${CAMPAIGNS}/${one.slug}`)).toMatchObject({ status: 200, body: {} });
    expect((await call('DELETE', `${CAMPAIGNS}/${one.slug}`)).status).toBe(403);
    expect(await call('DELETE', `${CAMPAIGNS}/${other.id}`)).toMatchObject({ status: 204, body: undefined });
    for (const slug of ['pp_main-chat', 'pp_none'])
      expect((await call('DELETE', `${CAMPAIGNS}/${slug}`)).status).toBe(403);
    expect((await call('DELETE', `${CAMPAIGNS}/summer-sale`)).status).toBe(400);
    partner = await buildPartner(test);
    expect((await call('DELETE', `${CAMPAIGNS}/${other.slug}`)).status).toBe(403);
  });

  it('campaigns are listed by their state', async () => {
    const { body: made } = await call('POST', CAMPAIGNS, { name: 'Summer sale', trial_duration: 30 });
    const { body: active } = await call('GET', `${CAMPAIGNS}/active`);
    expect(active.result).toHaveLength(4);
    expect(active.result.at(-1)).toEqual({ ...made, active: true });
    test.clock.advance(1000);
    await call('DELETE', `${CAMPAIGNS}/${made.slug}`);
    expect((await call('GET', `${CAMPAIGNS}/active`)).body.result).toHaveLength(3);
    expect((await call('GET', `${CAMPAIGNS}/disabled`)).body.result).toEqual([
      {
        ...{ name: 'Summer sale', slug: 'pp_summer-sale', trial_duration: 30, discount: '' },
        creation_timestamp: '2026-03-02 10:00:00',
        disabled_timestamp: '2026-03-02 10:00:01',
      },
    ]);
  });
});
