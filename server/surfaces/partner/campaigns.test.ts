import { beforeEach, describe, expect, it } from 'vitest';
import { createCoupon } from '#server/domain/partners/coupons/coupons.ts';
import { openPlatformScope } from '#server/domain/scope.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { earn } from '#server/testing/builders/ledger.ts';
import { callAs } from '../../testing/http/partner.ts';

const test = useTestApp({ config: { landingHosts: ['www.example.com'] } });
let partner: Awaited<ReturnType<typeof buildPartner>>;

beforeEach(async () => {
  partner = await buildPartner(test);
});

const call = callAs(
  () => test,
  () => partner.token,
);
const callOf = ({ token }: { token: string }) =>
  callAs(
    () => test,
    () => token,
  );

const CAMPAIGNS = '/affiliates/campaigns';
const create = (body: object | string, product = 'mainchat') => call('POST', `${CAMPAIGNS}?product=${product}`, body);
const search = async (query: string) => (await call('GET', `${CAMPAIGNS}/search?${query}`)).body;
const namesOf = ({ results }: { results: { name: string }[] }): string[] => results.map(({ name }) => name);
const filtered = (...filters: object[]): string => `filters=${encodeURIComponent(JSON.stringify(filters))}`;
const coupon = (more: object = {}, of = partner) =>
  createCoupon(openPlatformScope(test.context.services, { kind: 'operator' }), {
    ...{ partnerId: of.id, label: 'Ten off', percentOff: 10 },
    ...more,
  });

describe('creating a campaign', () => {
  it.each([
    ['JSON', { name: 'Summer sale' }],
    ['a form', 'name=Summer+sale'],
  ])('creating a campaign by %s returns links', async (_, body) => {
    expect(await create(body)).toMatchObject({
      status: 201,
      body: {
        product: 'mainchat',
        name: 'Summer sale',
        slug: 'pp_summer-sale',
        url: `http://parley.test/products/mainchat?a=${partner.id}&utm_campaign=pp_summer-sale`,
        short_url: expect.stringMatching(/^http:\/\/parley\.test\/go\/[a-z0-9]{10}$/),
        creation_timestamp: '2026-03-02 10:00:00',
        trial_duration: 14,
        discount: '',
      },
    });
  });

  it('a campaign may have a link, a trial and a coupon', async () => {
    const { id } = await coupon();
    const link = 'https://www.example.com/summer?x=1';
    const { body } = await create({ name: 'Summer sale', link, trial_duration: 60, coupon_id: id });
    expect(body).toMatchObject({
      url: `${link}&a=${partner.id}&utm_campaign=pp_summer-sale`,
      trial_duration: 60,
      discount: 'Ten off',
    });
  });

  it.each(['chatbot', 'partner_program'])('a campaign for %s leads to its landing page', async (product) => {
    const { status, body } = await create({ name: 'Summer sale' }, product);
    expect(status).toBe(201);
    expect(body).toMatchObject({ product, trial_duration: 14 });
    expect(body.url).toContain(product === 'chatbot' ? '/products/chatbot?' : '/join?');
  });

  it.each([
    ['name', { name: 'Four' }],
    ['name', { name: '  Four  ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', {}],
    ['link', { name: 'Summer', link: 'https://evil.test/' }],
    ['link', { name: 'Summer', link: 'javascript:alert(1)' }],
    ['link', { name: 'Summer', link: 'http://parley.test/go/abcdefghij' }],
    ['link', { name: 'Summer', link: 'summer/' }],
    ['trial_duration', { name: 'Summer', trial_duration: 13 }],
    ['trial_duration', { name: 'Summer', trial_duration: 61 }],
    ['trial_duration', { name: 'Summer', trial_duration: 14.5 }],
    ['coupon_id', { name: 'Summer', coupon_id: 'x' }],
  ])('an invalid %s is rejected: %j', async (field, body) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { error: { type: 'validation', details: [{ field }] } },
    });
  });

  it.each(['helpdesk', 'all', ''])('the product %j is rejected', async (product) => {
    expect((await create({ name: 'Summer' }, product)).status).toBe(400);
  });

  it('a trial for another product is rejected', async () => {
    expect((await create({ name: 'Summer', trial_duration: 30 }, 'chatbot')).status).toBe(400);
  });

  it('a campaign may use only an active coupon of the partner and only for mainchat', async () => {
    const other = await buildPartner(test);
    const theirs = await coupon({}, other);
    const old = await coupon({ active: false });
    const own = await coupon();
    for (const id of [theirs.id, old.id, 999_999_999])
      expect(await create({ name: 'Summer', coupon_id: id })).toMatchObject({
        status: 403,
        body: { error: { type: 'forbidden' } },
      });
    expect((await create({ name: 'Summer', coupon_id: own.id }, 'chatbot')).status).toBe(403);
    expect((await create({ name: 'Summer', coupon_id: own.id })).status).toBe(201);
  });

  it('the name of an active campaign is unique per partner regardless of case', async () => {
    await create({ name: 'Summer sale' });
    for (const name of ['summer SALE', ' Summer sale ', 'Main chat', 'chatbot'])
      expect(await create({ name }, 'chatbot')).toMatchObject({ status: 409, body: { error: { type: 'conflict' } } });
    partner = await buildPartner(test);
    expect((await create({ name: 'Summer sale' })).status).toBe(201);
  });

  it('a campaign name is unique under concurrency', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'Same name' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('equal slugs are numbered, also under concurrency', async () => {
    const names = ['Same slug', 'Same-slug', 'Same_slug', 'same, slug', 'Sámé slug'];
    const answers = await Promise.all(names.map((name) => create({ name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(answers.map(({ body }) => body.slug).sort()).toEqual(
      ['', '-2', '-3', '-4', '-5'].map((end) => `pp_same-slug${end}`),
    );
  });
});

describe('disabling a campaign', () => {
  it('disabling a campaign frees its name but not its slug', async () => {
    const { body: made } = await create({ name: 'Summer sale' });
    expect(await call('DELETE', `${CAMPAIGNS}/${made.id}`)).toMatchObject({ status: 204, body: undefined });
    const { active: _, ...rest } = (await call('GET', `${CAMPAIGNS}?state=disabled`)).body.result[0];
    expect(rest).toEqual(made);
    expect((await create({ name: 'Summer sale' })).body.slug).toBe('pp_summer-sale-2');
  });

  it('disabling a campaign twice is rejected, also under concurrency', async () => {
    const { body: made } = await create({ name: 'Summer sale' });
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `${CAMPAIGNS}/${made.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403, 403]);
  });

  it('default, foreign and unknown campaigns cannot be disabled', async () => {
    const { results } = await search('state=active&product=mainchat');
    const { body: theirs } = await callOf(await buildPartner(test))('POST', `${CAMPAIGNS}?product=chatbot`, {
      name: 'Theirs',
    });
    for (const id of [results[0].id, theirs.id, 999_999_999])
      expect(await call('DELETE', `${CAMPAIGNS}/${id}`)).toMatchObject({
        status: 403,
        body: { error: { type: 'forbidden' } },
      });
  });

  it.each(['0', '-1', 'x', '1.5', '9'.repeat(30), '%20'])('answers 400 to the id %s', async (id) => {
    expect((await call('DELETE', `${CAMPAIGNS}/${id}`)).status).toBe(400);
  });
});

describe('the list of campaigns', () => {
  it('the list has the default campaigns from the start', async () => {
    const { body } = await call('GET', CAMPAIGNS);
    expect(body.result).toMatchObject([
      { product: 'mainchat', name: 'Main chat', slug: 'pp_main-chat', active: true },
      { product: 'chatbot', name: 'Chatbot', slug: 'pp_chatbot', active: true },
      { product: 'partner_program', name: 'Partner program', slug: 'pp_partner-program', active: true },
    ]);
    expect((await call('GET', `${CAMPAIGNS}?state=disabled`)).body).toEqual({ result: [] });
    expect((await call('GET', `${CAMPAIGNS}?state=archived`)).status).toBe(400);
  });

  it('the list shows no discount of an inactive coupon', async () => {
    const { id } = await coupon();
    await create({ name: 'Summer sale', coupon_id: id });
    await test.context.database.kysely
      .updateTable('coupons')
      .where('partnerId', '=', partner.id)
      .set({ active: false })
      .execute();
    expect((await call('GET', CAMPAIGNS)).body.result.at(-1)).toMatchObject({ name: 'Summer sale', discount: '' });
  });

  it('the list has links for each product', async () => {
    const { body } = await call('GET', '/affiliates/links');
    const link = (page: string, slug: string) => ({
      url: `http://parley.test${page}?a=${partner.id}&utm_campaign=${slug}`,
      short_url: expect.stringMatching(/^http:\/\/parley\.test\/go\/\w+$/),
    });
    expect(body).toEqual({
      mainchat: link('/products/mainchat', 'pp_main-chat'),
      chatbot: link('/products/chatbot', 'pp_chatbot'),
      partner_program: link('/join', 'pp_partner-program'),
    });
  });
});

describe('the search', () => {
  it('the search returns the details of a campaign', async () => {
    const { id: coupon_id } = await coupon();
    const { body: made } = await create({ name: 'Summer sale', coupon_id });
    test.clock.advance(1000);
    await create({ name: 'Winter sale' }, 'chatbot');
    const found = await search('state=active');
    expect(found).toMatchObject({ value: 0, total: 5, limit: 15 });
    expect(namesOf(found).slice(0, 2)).toEqual(['Winter sale', 'Summer sale']);
    expect(found.results[1]).toEqual({
      id: made.id,
      name: 'Summer sale',
      product: 'mainchat',
      created_at: made.creation_timestamp,
      landing_page_url: 'http://parley.test/products/mainchat',
      slug: 'pp_summer-sale',
      is_default: false,
      region: 'dal',
      offer: { coupon_id, discount: 'Ten off' },
    });
    expect(found.results[0].offer).toBeNull();
  });

  it('the search sums the earnings of all pages', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 17; n++) ids.push((await create({ name: `Sale ${n}` })).body.id);
    for (const campaignId of ids) await earn(test, partner, 1010, { campaignId });
    await earn(test, partner, 5000);
    const first = await search(
      `state=active&page=1&${filtered({ field: 'name', operator: 'contains', value: 'sale' })}`,
    );
    expect(first).toMatchObject({ value: 171.7, total: 17, limit: 15 });
    expect(first.results).toHaveLength(15);
    const rest = await search('state=active&page=2&sort_order=desc');
    expect(namesOf(rest)).toEqual(['Sale 1', 'Sale 0', 'Partner program', 'Chatbot', 'Main chat'].slice(0, 5));
    expect((await search('state=active&page=1000000')).results).toEqual([]);
  });

  it('the search combines state, product and filters', async () => {
    for (const name of ['100% off', 'Under_score', 'Back\\slash', 'Quote " \' x']) await create({ name });
    const { body: gone } = await create({ name: 'Gone away' }, 'chatbot');
    await call('DELETE', `${CAMPAIGNS}/${gone.id}`);
    const find = async (query: string) => namesOf(await search(query));
    const name = (operator: string, value: string) => filtered({ field: 'name', operator, value });
    expect(await find('state=archived')).toEqual(['Gone away']);
    expect(await find('state=archived&product=mainchat')).toEqual([]);
    expect(await find('state=active&product=helpdesk')).toEqual([]);
    expect(await find('state=active&product=chatbot&sort_by=creation_timestamp&sort_order=asc')).toEqual(['Chatbot']);
    expect(await find(`state=active&${name('contains', '%')}`)).toEqual(['100% off']);
    expect(await find(`state=active&${name('contains', '_')}`)).toEqual(['Under_score']);
    expect(await find(`state=active&${name('contains', '\\')}`)).toEqual(['Back\\slash']);
    expect(await find(`state=active&${name('contains', '" \'')}`)).toEqual(['Quote " \' x']);
    expect(await find(`state=active&${name('equals', 'under_SCORE')}`)).toEqual(['Under_score']);
    expect(await find(`state=active&${name('equals', 'under')}`)).toEqual([]);
    const both = filtered(
      { field: 'product', operator: 'contains', value: 'chat' },
      { field: 'name', operator: 'contains', value: 'off' },
    );
    expect(await find(`state=active&${both}`)).toEqual(['100% off']);
    expect(await find(`state=active&filters=[]`)).toHaveLength(7);
  });

  it('the search works by POST with parameters in the query, a form or JSON', async () => {
    await create({ name: 'Summer sale' });
    const filter = { field: 'name', operator: 'contains', value: 'summer' };
    const text = JSON.stringify([filter]);
    const answers = await Promise.all([
      call('POST', `${CAMPAIGNS}/search?state=active&${filtered(filter)}`),
      call('POST', `${CAMPAIGNS}/search`, { state: 'active', filters: [filter] }),
      call('POST', `${CAMPAIGNS}/search`, { state: 'active', filters: text }),
      call('POST', `${CAMPAIGNS}/search?state=archived`, `state=active&filters=${encodeURIComponent(text)}`),
    ]);
    for (const { status, body } of answers)
      expect({ status, names: namesOf(body) }).toEqual({ status: 200, names: ['Summer sale'] });
    expect(await call('POST', `${CAMPAIGNS}/search`, {})).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'state', message: 'is required' }] } },
    });
  });

  it.each([
    'state=active&page=0',
    'state=active&page=-1',
    'state=active&page=NaN',
    'state=active&page=1e9',
    'state=disabled',
    'state=active&product=other',
    'state=active&sort_by=name',
    'state=active&sort_order=up',
    'state=active&filters={',
    'state=active&filters={}',
    'state=active&filters=[1]',
    `state=active&${filtered({ field: 'slug', operator: 'equals', value: 'x' })}`,
    `state=active&${filtered({ field: 'name', operator: 'like', value: 'x' })}`,
    `state=active&${filtered({ field: 'name', operator: 'equals', value: 1 })}`,
    `state=active&${filtered({ field: 'name', operator: 'equals' })}`,
    `state=active&${filtered({ field: 'name', operator: 'equals', value: 'x'.repeat(201) })}`,
    `state=active&${filtered(...Array.from({ length: 21 }, () => ({ field: 'name', operator: 'equals', value: 'x' })))}`,
    `state=active&filters=${encodeURIComponent('[{"field":"name","operator":"equals","value":"\\u0000"}]')}`,
    `state=active&filters=${encodeURIComponent('[{"__proto__":{}}]')}`,
    '',
  ])('the search rejects %s', async (query) => {
    expect(await call('GET', `${CAMPAIGNS}/search?${query}`)).toMatchObject({
      status: 400,
      body: { error: { type: 'validation' } },
    });
  });
});
