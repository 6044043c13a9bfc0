import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
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

const picture = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 3, background: '#0b7460' } });
const png = (width: number, height?: number) => picture(width, height).png().toBuffer();

const upload = async (payload: Buffer, type = 'image/png') => {
  const response = await test.app.inject({
    method: 'POST',
    url: '/v2/partners/experts/profile/logo',
    headers: { authorization: `Bearer ${partner.token}`, 'content-type': type },
    payload,
  });
  return { status: response.statusCode, body: response.json() };
};

const form = (bytes: Buffer, name: string) => {
  const boundary = 'a-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return [payload, `multipart/form-data; boundary=${boundary}`] as const;
};

const operate = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
  const response = await test.app.inject({
    method,
    url: `/operator/v1/experts${path}`,
    headers: { authorization: `Bearer ${test.operatorToken}` },
    ...(body ? { payload: body } : {}),
  });
  return { status: response.statusCode, body: response.payload === '' ? undefined : response.json() };
};

const profile = {
  company: 'Chat & Co',
  phone: '+48 123',
  description: 'We set up chats for shops.',
  short_description: 'Chats for shops',
  country: 'PL',
  website: 'https://chat.test',
  categories: ['training', 'chatbot-building'],
  projects: ['https://shop.test/a'],
};

const become = async () => {
  await upload(await png(400));
  expect((await call('POST', '/experts/profile', profile)).status).toBe(200);
};

describe('the logo', () => {
  it.each([350, 1000])('a logo of %d pixels is accepted as the body or in a form', async (pixels) => {
    const bytes = await png(pixels);
    const raw = await upload(bytes);
    expect(raw).toMatchObject({ status: 200, body: { result: expect.stringContaining('/expert-logos/') } });
    const { status, body } = await upload(...form(bytes, 'a.png'));
    expect(status).toBe(200);
    const path = new URL(body.result).pathname;
    const shown = await test.app.inject({ url: path });
    expect(shown.statusCode).toBe(200);
    expect(shown.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    expect(shown.rawPayload.equals(bytes)).toBe(true);
    expect((await test.app.inject({ url: new URL(raw.body.result).pathname })).statusCode).toBe(404);
  });

  it('a JPEG logo is accepted under any name', async () => {
    const bytes = await picture(500).jpeg().toBuffer();
    expect((await upload(bytes, 'application/octet-stream')).body.result).toMatch(/\.jpg$/);
    expect((await upload(...form(bytes, 'logo.png'))).body.result).toMatch(/\.jpg$/);
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['too small', () => png(349, 350)],
    ['too low', () => png(350, 349)],
    ['too large', () => png(1001, 1000)],
    ['a GIF', () => picture(400).gif().toBuffer()],
    ['a WebP', () => picture(400).webp().toBuffer()],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>')],
    ['a page', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['cut off', async () => (await png(400)).subarray(0, 300)],
    ['empty', async () => Buffer.alloc(0)],
  ])('a logo that is %s is rejected', async (_, make) => {
    expect(await upload(await make())).toMatchObject({ status: 400, body: { error: { type: 'validation' } } });
    expect((await call('POST', '/experts/profile', profile)).status).toBe(403);
  });

  it('a logo above the maximum size is rejected', async () => {
    expect((await upload(Buffer.alloc(5 * 1024 * 1024 + 1, 1))).status).toBe(413);
  });

  it('a logo with another content type is rejected', async () => {
    expect((await call('POST', '/experts/profile/logo', { logo: 'x' })).status).toBe(400);
    expect((await upload(Buffer.from('x'), 'text/plain')).status).toBe(400);
  });
});

describe('the profile', () => {
  it('the profile requires a logo', async () => {
    expect(await call('POST', '/experts/profile', profile)).toMatchObject({
      status: 403,
      body: { error: { type: 'forbidden' } },
    });
    await upload(await png(400));
    for (const path of ['profile', 'comments', 'stats', 'history'])
      expect((await call('GET', `/experts/${path}`)).status).toBe(403);
    expect(await call('POST', '/experts/profile', profile)).toMatchObject({ status: 200, body: {} });
    const { body } = await call('GET', '/experts/profile');
    expect(body).toEqual({
      ...profile,
      expert_id: String(partner.id),
      status: 'pending',
      logo: expect.stringMatching(/^http.*\/expert-logos\/\d+\/[0-9a-f]{32}\.png$/),
      agents: '',
      languages: [],
      hour_rate: '',
      project_rate: '',
      social_1: '',
      social_2: '',
      social_3: '',
      social_4: '',
    });
  });

  it('the profile is replaced by PUT as JSON or a form', async () => {
    await become();
    const body = new URLSearchParams({
      company: 'Other',
      phone: '1',
      description: 'Something else entirely',
      short_description: 'Something else',
      country: 'DE',
      website: 'https://other.test',
      'categories[]': 'lead-generation',
      'projects[0]': 'https://other.test/1',
      agents: '51+',
      'languages[]': 'de',
      social_3: 'https://social.test/x',
      hour_rate: '$100',
    });
    expect((await call('PUT', '/experts/profile', body.toString())).status).toBe(200);
    expect((await call('GET', '/experts/profile')).body).toMatchObject({
      company: 'Other',
      categories: ['lead-generation'],
      languages: ['de'],
      agents: '51+',
      social_1: '',
      social_3: 'https://social.test/x',
      hour_rate: '$100',
    });
  });

  it.each(Object.keys(profile))('%s is required', async (field) => {
    await upload(await png(400));
    const { [field as 'company']: _, ...rest } = profile;
    expect((await call('POST', '/experts/profile', rest)).status).toBe(400);
  });

  it.each([
    ['company', 'abc'],
    ['description', 'too short'],
    ['short_description', 'too short'],
    ['country', 'Poland'],
    ['website', 'javascript:alert(1)'],
    ['website', 'ftp://x.test'],
    ['categories', []],
    ['categories', ['cooking']],
    ['categories', ['training', 'training']],
    ['projects', ['shop']],
    ['agents', '2-4'],
    ['languages', ['xx']],
    ['social_1', 'me'],
    ['categories', ['lead-generation']],
    ['categories', ['outsourcing-customer-service']],
  ])('the profile rejects the %s %j', async (field, value) => {
    await upload(await png(400));
    expect(await call('POST', '/experts/profile', { ...profile, [field]: value })).toMatchObject({ status: 400 });
  });

  it.each(['lead-generation', 'outsourcing-customer-service'])('the category %s requires people', async (category) => {
    await upload(await png(400));
    const body = { ...profile, categories: [category] };
    expect((await call('POST', '/experts/profile', { ...body, agents: '1-5' })).status).toBe(400);
    expect((await call('POST', '/experts/profile', { ...body, languages: ['pl'] })).status).toBe(400);
    expect((await call('POST', '/experts/profile', { ...body, agents: '1-5', languages: ['pl'] })).status).toBe(200);
  });
});

describe('the operator', () => {
  it('the operator approves and rejects experts and adds comments', async () => {
    await become();
    const at = `/${partner.id}`;
    expect((await operate('GET', `?status=pending&after=${partner.id - 1}`)).body.experts).toMatchObject([
      { partner_id: String(partner.id), company: 'Chat & Co' },
    ]);
    expect((await operate('POST', `${at}/approve`)).body.status).toBe('approved');
    expect((await call('GET', '/experts/stats')).body).toMatchObject({ comments: 0, messages: 0 });
    expect((await call('GET', '/experts/stats')).body.position).toBeGreaterThan(0);
    const said = { comment: 'Very good', author: 'Ann', website: 'https://ann.test' };
    // The URL identifies the expert.
    const { status, body } = await operate('POST', `${at}/comments`, { ...said, partnerId: partner.id - 1 });
    expect({ status, body }).toMatchObject({ status: 201, body: said });
    expect((await call('GET', '/experts/comments')).body.result).toEqual([
      { ...said, creation_timestamp: '2026-03-02 10:00:00' },
    ]);
    expect((await call('GET', '/experts/stats')).body).toEqual({ position: 1, comments: 1, messages: 0 });
    expect((await operate('DELETE', `${at}/comments/${body.id}`)).status).toBe(204);
    expect((await operate('DELETE', `${at}/comments/${body.id}`)).status).toBe(404);
    await call('PUT', '/experts/profile', { ...profile, company: 'New name' });
    expect((await call('GET', '/experts/profile')).body).toMatchObject({ status: 'approved', company: 'New name' });
    expect((await operate('POST', `${at}/reject`)).body.status).toBe('rejected');
    expect((await call('GET', '/experts/stats')).body.position).toBe(0);
    await call('PUT', '/experts/profile', profile);
    expect((await call('GET', '/experts/profile')).body.status).toBe('pending');
  });

  it('partners without a profile are not experts', async () => {
    await upload(await png(400));
    for (const path of ['approve', 'reject'])
      expect((await operate('POST', `/${partner.id}/${path}`)).status).toBe(404);
    expect((await operate('POST', `/${partner.id}/comments`, { comment: 'x', author: 'y' })).status).toBe(404);
  });
});

describe('the page of an expert', () => {
  const BROWSER =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const open = (options: { method?: 'GET' | 'HEAD'; agent?: string; ip?: string } = {}) =>
    test.app.inject({
      method: options.method ?? 'GET',
      url: `/experts/${partner.id}`,
      remoteAddress: options.ip ?? '203.0.113.7',
      headers: { 'user-agent': options.agent ?? BROWSER },
    });
  const views = async (): Promise<number> => (await call('GET', '/experts/history')).body.result.at(-1).profile_views;

  it('the page of an expert exists once approved, unless the partner is blocked', async () => {
    await become();
    expect((await open()).statusCode).toBe(404);
    await operate('POST', `/${partner.id}/approve`);
    expect((await open()).statusCode).toBe(200);
    expect((await test.app.inject({ url: '/experts' })).body).toContain(`href="/experts/${partner.id}"`);
    await test.context.database.kysely
      .updateTable('partners')
      .where('id', '=', partner.id)
      .set({ blocked: true })
      .execute();
    expect((await open()).statusCode).toBe(404);
    expect((await test.app.inject({ url: '/experts' })).body).not.toContain(`/experts/${partner.id}"`);
  });

  it('the page counts each viewer once per hour', async () => {
    await become();
    await operate('POST', `/${partner.id}/approve`);
    await open();
    await open();
    await open({ agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)', ip: '203.0.113.8' });
    await open({ method: 'HEAD', ip: '203.0.113.9' });
    expect(await views()).toBe(1);
    await open({ ip: '203.0.113.10' });
    expect(await views()).toBe(2);
    test.clock.advance(3600_000);
    await Promise.all([open(), open(), open()]);
    expect(await views()).toBe(3);
    const { result } = (await call('GET', '/experts/history')).body;
    expect(result).toHaveLength(12);
    expect(result[0]).toEqual({ date: '2025-04', profile_views: 0 });
  });

  it('viewers are forgotten when they would be counted again', async () => {
    await become();
    await operate('POST', `/${partner.id}/approve`);
    await open();
    test.clock.advance(1800_000);
    await open({ ip: '203.0.113.10' });
    test.clock.advance(1800_000);
    await test.context.background.scheduler.run('remove-expired-tokens');
    const { kysely } = test.context.database;
    const viewers = kysely.selectFrom('expertViewers').where('partnerId', '=', partner.id).select('viewedAt');
    expect(await viewers.execute()).toHaveLength(1);
    expect(await views()).toBe(2);
  });

  it('the page escapes all content', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    await upload(await png(400));
    await call('POST', '/experts/profile', {
      ...profile,
      company: evil,
      phone: evil.slice(0, 50),
      description: evil,
      short_description: evil,
      hour_rate: evil,
      project_rate: evil,
      website: 'https://chat.test/?"><script>alert(1)</script>',
      social_1: 'https://chat.test/"onmouseover="alert(1)',
    });
    await operate('POST', `/${partner.id}/approve`);
    await operate('POST', `/${partner.id}/comments`, { comment: evil, author: evil });
    for (const url of [`/experts/${partner.id}`, '/experts']) {
      const { body, headers } = await test.app.inject({ url });
      expect(body).not.toMatch(/<script|<img src=x|"onmouseover/);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('a message to an expert is emailed and not stored', async () => {
    await become();
    await operate('POST', `/${partner.id}/approve`);
    const write = (fields: Record<string, string>) =>
      test.app.inject({
        method: 'POST',
        url: `/experts/${partner.id}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      });
    const good = { name: 'Ann\r\nBcc: x@y.test', email: 'ann@shop.test', text: 'Please call me.' };
    const faulty = await write({ ...good, email: 'ann', text: '' });
    expect(faulty.statusCode).toBe(400);
    expect(faulty.body).toContain('Enter a valid email address');
    expect(faulty.body).toContain('This field is required');
    expect((await write(good)).statusCode).toBe(200);
    await test.runDueJobs();
    const mails = (await test.context.ports.outbox!.list())
      .map(({ mail }) => mail)
      .filter(({ to }) => to.address === partner.login);
    const mail = mails.find(({ subject }) => subject === 'New message from your expert profile');
    expect(mail?.text).toContain('Ann Bcc: x@y.test <ann@shop.test>');
    expect(mail?.text).toContain('Please call me.');
    expect((await call('GET', '/experts/stats')).body.messages).toBe(1);
  });

  it('messages from one address are limited', async () => {
    await become();
    await operate('POST', `/${partner.id}/approve`);
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        limited.app.inject({
          method: 'POST',
          url: `/experts/${partner.id}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: 'name=Ann&email=ann%40shop.test&text=Hello',
        }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 429, 429]);
  });
});
