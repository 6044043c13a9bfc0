import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { day, expectError, type Json, type Partner, send, TEXT, TIME } from '../partner/index.ts';
import { kit } from './target.ts';

const { newPartner, operator, target } = kit;

const AT = '/experts/profile';

const picture = (width: number, height: number, format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png'): Promise<Uint8Array> =>
  sharp({ create: { width, height, channels: 3, background: { r: 9, g: 90, b: 200 } } })
    .toFormat(format)
    .toBuffer();

/** Sends a raw body; the calls of the kit only send JSON and forms. */
const upload = async (partner: Partner, body: BodyInit, type?: string) => {
  const headers = { authorization: `Bearer ${partner.token}`, ...(type ? { 'content-type': type } : {}) };
  const response = await send(`${target.url}/v2/partners${AT}/logo`, { method: 'POST', headers, body });
  kit.record('POST', `/v2/partners${AT}/logo`, response.status);
  return response;
};
const asBody = (bytes: Uint8Array | string): BodyInit => bytes as BodyInit;

const profile = {
  ...{
    company: 'Experts & Co',
    phone: '+44 20 7946 0000',
    description: 'We install chats.',
    short_description: 'Chats for all',
  },
  ...{ country: 'GB', website: 'https://experts.test/', categories: ['training'], projects: ['https://shop.test/'] },
};

const newExpert = async (): Promise<Partner> => {
  const partner = await newPartner();
  expect((await upload(partner, asBody(await picture(400, 400)), 'image/png')).status).toBe(200);
  await partner.ok(200, 'POST', AT, profile);
  return partner;
};

describe('POST /v2/partners/experts/profile/logo', async () => {
  const partner = await newPartner();

  it.each([
    ['png', 350, 350],
    ['png', 1000, 1000],
    ['jpeg', 350, 1000],
    ['jpeg', 1000, 350],
  ] as const)('accepts a %s of %d × %d pixels', async (format, width, height) => {
    const bytes = await picture(width, height, format);
    const { status, body } = await upload(partner, asBody(bytes), `image/${format}`);
    expect([status, body]).toEqual([200, { result: expect.stringMatching(/^https?:\/\//) }]);
    const shown = await fetch(body.result);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, `image/${format}`]);
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('accepts a multipart form with any file name', async () => {
    const form = new FormData();
    form.append('logo', new Blob([asBody(await picture(400, 400)) as BlobPart], { type: 'image/png' }), '../../x.html');
    expect((await upload(partner, form)).status).toBe(200);
  });

  it('rejects a logo that is too small, too large, of another type, corrupt or missing', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>';
    const whole = await picture(400, 400);
    for (const [what, bytes, type] of [
      ['349 wide', await picture(349, 350), 'image/png'],
      ['349 high', await picture(350, 349), 'image/png'],
      ['1001 wide', await picture(1001, 1000), 'image/png'],
      ['1001 high', await picture(1000, 1001, 'jpeg'), 'image/jpeg'],
      ['a GIF', await picture(400, 400, 'gif'), 'image/gif'],
      ['a GIF declared as PNG', await picture(400, 400, 'gif'), 'image/png'],
      ['a WebP', await picture(400, 400, 'webp'), 'image/webp'],
      ['an SVG', svg, 'image/svg+xml'],
      ['an SVG declared as PNG', svg, 'image/png'],
      ['a truncated image', whole.slice(0, whole.length / 2), 'image/png'],
      ['nothing', '', 'image/png'],
    ] as const) {
      const response = await upload(partner, asBody(bytes), type);
      expect({ what, status: response.status }).toEqual({ what, status: 400 });
      expectError(response, 400);
    }
  });
});

describe('POST, PUT, GET /v2/partners/experts/profile', () => {
  it('returns 403 without a logo or for a partner who is not an expert', async () => {
    const partner = await newPartner();
    for (const method of ['POST', 'PUT'] as const) expectError(await partner.sendRequest(method, AT, profile), 403);
    for (const path of [AT, '/experts/comments', '/experts/stats', '/experts/history'])
      expectError(await partner.sendRequest('GET', path), 403);
  });

  it('write and read the profile', async () => {
    const partner = await newExpert();
    const empty = {
      agents: '',
      hour_rate: '',
      project_rate: '',
      social_1: '',
      social_2: '',
      social_3: '',
      social_4: '',
      languages: [],
    };
    const shown = await partner.ok(200, 'GET', AT);
    expect(shown).toEqual({ expert_id: TEXT, status: 'pending', logo: TEXT, ...empty, ...profile });
    const more = {
      ...{
        ...profile,
        company: 'Four',
        categories: ['lead-generation', 'training'],
        agents: '51+',
        languages: ['en', 'pl'],
      },
      ...{ hour_rate: '50', project_rate: '1000', social_1: 'https://one.test/a', social_4: 'https://four.test/' },
    };
    await partner.ok(200, 'PUT', AT, more);
    expect(await partner.ok(200, 'GET', AT)).toMatchObject(more);
    const form = new URLSearchParams({ ...profile, categories: '', projects: '' } as Record<string, string>);
    form.delete('categories');
    form.delete('projects');
    for (const category of ['training', 'chatbot-building']) form.append('categories[]', category);
    form.append('projects[0]', 'https://one.test/');
    await partner.ok(200, 'POST', AT, form);
    expect(await partner.ok(200, 'GET', AT)).toMatchObject({
      categories: ['training', 'chatbot-building'],
      projects: ['https://one.test/'],
    });
  });

  it('accept every category, and each size with its conditions', async () => {
    const partner = await newExpert();
    const write = (more: object) => partner.sendRequest('PUT', AT, { ...profile, ...more });
    const categories = [
      ...['custom-development', 'product-implementation', 'chatbot-building', 'chat-strategy-consultancy', 'training'],
      'api-and-integrations',
    ];
    expect((await write({ categories })).status).toBe(200);
    for (const category of ['outsourcing-customer-service', 'lead-generation']) {
      const input = { categories: [category], agents: '1-5', languages: ['en'] };
      expect((await write(input)).status).toBe(200);
      expectError(await write({ ...input, agents: undefined }), 400, 'agents');
      expectError(await write({ ...input, languages: undefined }), 400, 'languages');
      expectError(await write({ ...input, languages: [] }), 400, 'languages');
    }
    for (const agents of ['1-5', '6-15', '16-30', '31-50', '51+']) expect((await write({ agents })).status).toBe(200);
  });

  it.each([
    ['company', undefined, 'abc', 7],
    ['phone', undefined, ''],
    ['description', undefined, '123456789'],
    ['short_description', undefined, '123456789'],
    ['country', undefined, 'XX'],
    ['website', undefined, 'nothing', 'javascript:alert(1)'],
    ['agents', '1-6', '52'],
  ])('reject an invalid %s', async (name, ...wrong) => {
    const partner = await shared();
    for (const value of wrong)
      expectError(await partner.sendRequest('PUT', AT, { ...profile, [name as string]: value }), 400, name as string);
  });

  it('reject invalid lists', async () => {
    const partner = await shared();
    for (const more of [
      { categories: ['cooking'] },
      { categories: [] },
      { categories: undefined },
      { projects: undefined },
      { projects: ['nothing'] },
      { projects: ['javascript:x'] },
      { languages: ['xx'] },
      { social_1: 'ftp://x.test' },
    ])
      expect([more, (await partner.sendRequest('PUT', AT, { ...profile, ...more })).status]).toEqual([more, 400]);
  });
});

let one: Promise<Partner> | undefined;
const shared = (): Promise<Partner> => {
  one ??= newExpert();
  return one;
};

describe('the marketplace', () => {
  it('the operator approves a pending profile, which then has comments, stats, history and a page', async () => {
    const partner = await newExpert();
    const page = `${target.url}/experts/${(await partner.ok(200, 'GET', AT)).expert_id}`;
    expect((await kit.visitor().get(page)).status).toBe(404);
    expect(await partner.ok(200, 'GET', '/experts/stats')).toEqual({ position: 0, comments: 0, messages: 0 });
    expect(await partner.ok(200, 'GET', '/experts/comments')).toEqual({ result: [] });
    await operator.ok(200, 'POST', `/experts/${partner.id}/approve`);
    expect(await partner.ok(200, 'GET', AT)).toMatchObject({ status: 'approved' });
    const said = { comment: '<b>Very</b> good', author: 'Ann', website: 'https://ann.test/' };
    await operator.ok(201, 'POST', `/experts/${partner.id}/comments`, said);
    expect(await partner.ok(200, 'GET', '/experts/comments')).toEqual({
      result: [{ ...said, creation_timestamp: TIME }],
    });
    const stats = await partner.ok(200, 'GET', '/experts/stats');
    expect(stats).toEqual({ position: expect.any(Number), comments: 1, messages: 0 });
    expect(stats.position).toBeGreaterThan(0);
    expect((await partner.ok(200, 'GET', '?shape=earlier')).expert).toEqual({
      status: 'approved',
      marketplace_position: stats.position,
    });
    const reader = kit.visitor();
    for (let again = 0; again < 2; again++) {
      const { status, body } = await reader.get(page);
      expect(status).toBe(200);
      expect(body).toContain('Experts &amp; Co');
      expect(body).not.toContain('<b>Very</b>');
    }
    await kit.visitor('curl/8.0').get(page);
    await kit.visitor().get(page);
    const views = async (): Promise<number> => {
      const { result } = await partner.ok(200, 'GET', '/experts/history');
      expect(result).toHaveLength(12);
      return result.find(({ date }: Json) => date === day().slice(0, 7)).profile_views;
    };
    await expect.poll(views).toBe(2);
    for (const path of ['approve', 'comments'])
      expectError(await operator.sendRequest('POST', `/experts/999999999/${path}`, said), 404);
    expectError(
      await operator.sendRequest('POST', `/experts/${partner.id}/comments`, { author: 'Ann' }),
      400,
      'comment',
    );
  });
});
