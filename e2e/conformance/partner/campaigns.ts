import { describe, expect, it } from 'vitest';
import { expectError, type Json, NUMBER, TEXT, TIME } from './index.ts';
import { kit } from './target.ts';

const { newPartner, newLicense, operator, pay, target } = kit;

const AT = '/affiliates/campaigns';
const partner = await newPartner();
const stranger = await newPartner();
const make = (product: string, body: Json, as = partner) => as.sendRequest('POST', `${AT}?product=${product}`, body);
const made = async (product: string, body: Json, as = partner): Promise<Json> => {
  const response = await make(product, body, as);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
};

describe('POST /v2/partners/affiliates/campaigns', () => {
  it.each(['mainchat', 'chatbot', 'partner_program'])(
    'POST /v2/partners/affiliates/campaigns creates a campaign for %s',
    async (product) => {
      const campaign = await made(product, { name: `Spring for ${product}` });
      expect(campaign).toMatchObject({
        ...{ product, name: `Spring for ${product}`, slug: expect.stringMatching(/^pp_[a-z0-9_-]+$/) },
        ...{ url: TEXT, short_url: TEXT, creation_timestamp: TIME, trial_duration: 14 },
      });
      const url = new URL(campaign.url);
      expect(url.searchParams.get('a')).toBe(partner.id);
      expect(url.searchParams.get('utm_campaign')).toBe(campaign.slug);
      const redirect = await kit.visitor().get(campaign.short_url);
      expect([redirect.status, redirect.headers.get('location')]).toEqual([302, campaign.url]);
    },
  );

  it('POST /v2/partners/affiliates/campaigns accepts a form', async () => {
    const campaign = await made('mainchat', 'name=By+a%20form%20%C3%A4&trial_duration=30');
    expect(campaign).toMatchObject({ name: 'By a form ä', trial_duration: 30 });
  });

  it('POST /v2/partners/affiliates/campaigns requires one of three products', async () => {
    for (const product of ['helpdesk', 'all', ''])
      expectError(await make(product, { name: 'A fine name' }), 400, 'product');
  });

  it('POST /v2/partners/affiliates/campaigns requires a name of 5 to 100 characters, unique among active campaigns', async () => {
    for (const name of ['12345', 'ä'.repeat(100), '🙂🙂🙂🙂🙂']) await made('mainchat', { name });
    for (const name of ['1234', 'ä'.repeat(101), '', 7, undefined])
      expectError(await make('mainchat', { name }), 400, 'name');
    await made('mainchat', { name: 'Taken name' });
    expectError(await make('mainchat', { name: 'Taken name' }), 409);
    await made('mainchat', { name: 'Taken name' }, stranger);
    const race = await Promise.all(Array.from({ length: 4 }, () => make('mainchat', { name: 'One of four' })));
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  it('slugs are unique per partner', async () => {
    const slugs = [];
    for (const name of ['Same same', 'same  same', 'Same-Same!', 'ЖЖЖЖЖ', 'ЩЩЩЩЩ'])
      slugs.push((await made('mainchat', { name })).slug);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('trial_duration must be 14 to 60 days and is accepted only for mainchat', async () => {
    for (const trial_duration of [14, 60])
      expect(await made('mainchat', { name: `Trial of ${trial_duration}`, trial_duration })).toMatchObject({
        trial_duration,
      });
    for (const trial_duration of [13, 61, 0, -1, 14.5, 'long', 1e9])
      expectError(await make('mainchat', { name: 'Trial of what', trial_duration }), 400, 'trial_duration');
    expectError(await make('chatbot', { name: 'Trial of a bot', trial_duration: 30 }), 400, 'trial_duration');
  });

  it('link must be a landing page of the product on our own domain', async () => {
    const link = `${target.url}/products/mainchat/pricing?plan=team`;
    const { url, short_url } = await made('mainchat', { name: 'With a link', link });
    expect(url).toContain('/products/mainchat/pricing?plan=team&');
    expect((await kit.visitor().open(short_url)).status).toBe(200);
    for (const other of ['https://evil.test/', 'javascript:alert(1)', 'nothing', '//evil.test', 7])
      expectError(await make('mainchat', { name: 'With a bad link', link: other }), 400, 'link');
  });

  it('coupon_id must be a coupon of the partner and is accepted only for mainchat, otherwise 403', async () => {
    const couponOf = async (id: string, more = {}): Promise<number> =>
      (await operator.ok(201, 'POST', `/partners/${id}/coupons`, { label: 'Ten off', percent_off: 10, ...more })).id;
    const coupon_id = await couponOf(partner.id);
    expect(await made('mainchat', { name: 'With a coupon', coupon_id })).toMatchObject({ discount: 'Ten off' });
    expect((await made('mainchat', { name: 'Without one' })).discount ?? '').toBe('');
    const rejected = [await couponOf(stranger.id), await couponOf(partner.id, { active: false }), 999_999_999];
    for (const id of rejected) expectError(await make('mainchat', { name: 'With a bad one', coupon_id: id }), 403);
    expectError(await make('chatbot', { name: 'Coupon for a bot', coupon_id }), 403);
    expectError(await make('mainchat', { name: 'No number', coupon_id: 'ten' }), 400, 'coupon_id');
  });
});

describe('GET /v2/partners/affiliates/campaigns', () => {
  it('GET /v2/partners/affiliates/campaigns lists active campaigns by default and disabled ones on request', async () => {
    const [one, other] = [
      await made('mainchat', { name: 'Staying here' }),
      await made('chatbot', { name: 'Going away' }),
    ];
    const list = async (query = ''): Promise<Json[]> => (await partner.ok(200, 'GET', `${AT}${query}`)).result;
    const find = (items: Json[], { slug }: Json): Json | undefined => items.find((item) => item.slug === slug);
    expect(find(await list(), one)).toMatchObject({ ...one, active: true });
    expect(await list('?state=active')).toEqual(await list());
    await partner.ok(204, 'DELETE', `${AT}/${other.id}`);
    expect(find(await list(), other)).toBeUndefined();
    expect(find(await list('?state=disabled'), other)).toMatchObject({ ...other, active: false });
    expect(find(await list('?state=disabled'), one)).toBeUndefined();
    expectError(await partner.sendRequest('GET', `${AT}?state=archived`), 400, 'state');
    expect(JSON.stringify((await stranger.ok(200, 'GET', AT)).result)).not.toContain('Staying here');
  });
});

describe('DELETE /v2/partners/affiliates/campaigns/<campaign_id>', () => {
  it('DELETE: active → disabled, and 403 for an unknown or disabled campaign', async () => {
    const { id, short_url, url } = await made('mainchat', { name: 'For a while' });
    expectError(await stranger.sendRequest('DELETE', `${AT}/${id}`), 403);
    const response = await partner.sendRequest('DELETE', `${AT}/${id}`);
    expect([response.status, response.body]).toEqual([204, '']);
    expectError(await partner.sendRequest('DELETE', `${AT}/${id}`), 403);
    expectError(await partner.sendRequest('DELETE', `${AT}/999999999`), 403);
    for (const wrong of ['0', '-1', '1.5', 'x'.repeat(5)])
      expectError(await partner.sendRequest('DELETE', `${AT}/${wrong}`), 400);
    const redirect = await kit.visitor().get(short_url);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, url]);
    await made('mainchat', { name: 'For a while' });
  });
});

describe('campaigns/search', async () => {
  const owner = await newPartner();
  for (let at = 1; at <= 16; at++) await made('mainchat', { name: `Mail number ${at}` }, owner);
  const bot = await made('chatbot', { name: '100%_sure' }, owner);
  const old = await made('partner_program', { name: 'Old partners' }, owner);
  await owner.ok(204, 'DELETE', `${AT}/${old.id}`);
  const search = (query: object): Promise<Json> =>
    owner.ok(200, 'GET', `${AT}/search?${new URLSearchParams(query as Record<string, string>)}`);
  const names = ({ results }: Json): string[] => results.map(({ name }: Json) => name);
  const filters = (...list: [field: string, operator: string, value: string][]): string =>
    JSON.stringify(list.map(([field, operator, value]) => ({ field, operator, value })));

  it('GET campaigns/search returns pages with the total and the limit', async () => {
    const first = await search({ state: 'active', filters: filters(['name', 'contains', 'Mail number']) });
    const second = await search({ state: 'active', page: 2, filters: filters(['name', 'contains', 'Mail number']) });
    expect([first.total, first.limit, first.results.length, second.results.length]).toEqual([16, 15, 15, 1]);
    expect(new Set([...names(first), ...names(second)]).size).toBe(16);
    expect(names(await search({ state: 'active', page: 99 }))).toEqual([]);
    expect(first.results[0]).toEqual({
      ...{ id: NUMBER, name: TEXT, product: 'mainchat', created_at: TIME, landing_page_url: TEXT, slug: TEXT },
      ...{ is_default: false, region: TEXT, offer: null },
    });
  });

  it('campaigns/search requires the state active or archived', async () => {
    expect(await search({ state: 'archived' })).toMatchObject({
      total: 1,
      results: [{ id: old.id, name: 'Old partners' }],
    });
    expect(names(await search({ state: 'active', page: 2 }))).not.toContain('Old partners');
    for (const query of ['', 'state=disabled', 'state='])
      expectError(await owner.sendRequest('GET', `${AT}/search?${query}`), 400, 'state');
  });

  it('campaigns/search filters by product', async () => {
    expect(names(await search({ state: 'active', product: 'chatbot' }))).toContain('100%_sure');
    for (const { product } of (await search({ state: 'active', product: 'mainchat' })).results)
      expect(product).toBe('mainchat');
    expect((await search({ state: 'active', product: 'all' })).total).toBe((await search({ state: 'active' })).total);
    expect((await search({ state: 'active', product: 'helpdesk' })).total).toBe(0);
    expectError(await owner.sendRequest('GET', `${AT}/search?state=active&product=phone`), 400, 'product');
  });

  it.each([
    ['name equals', [['name', 'equals', '100%_sure']], ['100%_sure']],
    ['name contains', [['name', 'contains', '%_']], ['100%_sure']],
    ['an SQL wildcard is literal', [['name', 'contains', 'M%l']], []],
    ['name contains a quote', [['name', 'contains', "' or 1=1 --"]], []],
    [
      'product equals',
      [
        ['product', 'equals', 'chatbot'],
        ['name', 'contains', 'sure'],
      ],
      ['100%_sure'],
    ],
    [
      'two that exclude each other',
      [
        ['product', 'equals', 'mainchat'],
        ['name', 'equals', '100%_sure'],
      ],
      [],
    ],
    [
      'product contains',
      [
        ['product', 'contains', 'bot'],
        ['name', 'equals', '100%_sure'],
      ],
      ['100%_sure'],
    ],
  ] as [string, [string, string, string][], string[]][])('campaigns/search filters: %s', async (_, list, expected) => {
    expect(names(await search({ state: 'active', filters: filters(...list) }))).toEqual(expected);
  });

  it('campaigns/search rejects invalid filters', async () => {
    const wrong = ['{', 'null', '"x"', '{"field":"name"}', '[1]', '[{"field":"name"}]', filters(['id', 'equals', '1'])];
    for (const one of [...wrong, filters(['name', 'starts', 'x'])])
      expectError(await owner.sendRequest('GET', `${AT}/search?state=active&filters=${encodeURIComponent(one)}`), 400);
  });

  it('campaigns/search applies sort_by and sort_order', async () => {
    const order = async (sort_order: string) => {
      const query = { state: 'active', sort_by: 'creation_timestamp', sort_order };
      return [...names(await search(query)), ...names(await search({ ...query, page: '2' }))];
    };
    expect(await order('asc')).toEqual((await order('desc')).toReversed());
    expect((await order('desc'))[0]).toBe('100%_sure');
    for (const query of ['sort_by=name', 'sort_order=up', 'page=0', 'page=-1', 'page=x', 'page=1e9'])
      expectError(await owner.sendRequest('GET', `${AT}/search?state=active&${query}`), 400);
  });

  it('POST campaigns/search accepts parameters in the query, a form or JSON', async () => {
    const list = filters(['name', 'equals', '100%_sure']);
    const expected = await search({ state: 'active', filters: list });
    const query = `?${new URLSearchParams({ state: 'active', filters: list })}`;
    expect(await owner.ok(200, 'POST', `${AT}/search${query}`)).toEqual(expected);
    expect(await owner.ok(200, 'POST', `${AT}/search`, { state: 'active', filters: list })).toEqual(expected);
    expect(await owner.ok(200, 'POST', `${AT}/search`, { state: 'active', filters: JSON.parse(list) })).toEqual(
      expected,
    );
    expect(
      await owner.ok(200, 'POST', `${AT}/search`, new URLSearchParams({ state: 'active', filters: list })),
    ).toEqual(expected);
    expectError(await owner.sendRequest('POST', `${AT}/search`, {}), 400, 'state');
  });

  it('campaigns/search returns the commission of the found campaigns as value', async () => {
    const license = await newLicense(owner, { utm_campaign: bot.slug, product: 'chatbot' });
    await pay(license, 1000);
    expect(await search({ state: 'active', product: 'chatbot' })).toMatchObject({ value: 2 });
    expect(await search({ state: 'active', filters: filters(['name', 'contains', 'Mail number']) })).toMatchObject({
      value: 0,
    });
  });
});

describe('GET /v2/partners/affiliates/links', () => {
  it('GET /v2/partners/affiliates/links returns the default campaign of each product', async () => {
    const newcomer = await newPartner();
    const links = await newcomer.ok(200, 'GET', '/affiliates/links');
    const link = { url: TEXT, short_url: TEXT };
    expect(links).toEqual({ mainchat: link, chatbot: link, partner_program: link });
    for (const { url, short_url } of Object.values<Json>(links)) {
      expect(new URL(url).searchParams.get('a')).toBe(newcomer.id);
      expect((await kit.visitor().get(short_url)).headers.get('location')).toBe(url);
    }
  });
});
