import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildReferrer, openVisitor, type TestReferrer } from '../../../../testing/builders/click-links.ts';

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const test = useTestApp();
let partner: TestReferrer;
beforeAll(async () => {
  partner = await buildReferrer(test);
});

const browser = () => {
  const visitor = openVisitor(test, {
    ip: `192.0.2.${Math.floor(Math.random() * 250)}`,
    userAgent: `Mozilla/5.0 (X11) Chrome/${Math.random()}`,
  });
  return {
    ...visitor,
    open: (url: string) => visitor.send({ url, headers: { accept: ACCEPT } }),
    submit: (url: string, fields: Record<string, string>) =>
      visitor.send({
        url,
        method: 'POST',
        headers: {
          accept: ACCEPT,
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'http://parley.test',
          'sec-fetch-site': 'same-origin',
        },
        payload: new URLSearchParams(fields).toString(),
      }),
  };
};

const person = () => ({
  email: `person-${randomUUID()}@shop.example`,
  name: 'Nora New',
  organization: 'Corner shop',
  password: 'a long password',
  product: 'mainchat',
});

const hiddenOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, n, v]) => [n!, v!]),
  );

const linksOf = (page: string): string[] =>
  [...page.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));

describe('attribution through the pages', () => {
  it('passes attribution parameters through the pages, also without cookies', async () => {
    const { open, submit } = browser();
    const { slug } = await partner.linkOf('mainchat');
    const landing = await open(
      `/products/mainchat?a=${partner.id}&utm_campaign=${slug}&utm_medium=mail&utm_source=news`,
    );
    const next = linksOf(landing.body).find((link) => link.startsWith('/signup'))!;
    const form = await open(next);
    expect(hiddenOf(form.body)).toEqual({
      ...{ a: String(partner.id), utm_campaign: slug, utm_medium: 'mail', utm_source: 'news' },
    });
    const done = await submit('/signup', { ...person(), ...hiddenOf(form.body) });
    expect(done.statusCode).toBe(201);
    expect(done.headers['content-type']).toBe('text/html; charset=utf-8');
    const license = /data-license=&quot;(\d+)&quot;/.exec(done.body)![1]!;
    const row = await partner.scope
      .from('referredLicenses')
      .innerJoin('organizations', 'organizations.id', 'referredLicenses.organizationId')
      .where('organizations.licenseNumber', '=', Number(license))
      .select(['utmMedium', 'utmSource'])
      .executeTakeFirst();
    expect(row).toEqual({ utmMedium: 'mail', utmSource: 'news' });
  });

  it('counts a long link as a click, but not after a short link', async () => {
    const own = await buildReferrer(test);
    const link = await own.linkOf('chatbot');
    const direct = browser();
    const page = await direct.open(`/products/chatbot?a=${own.id}&utm_campaign=${link.slug}&utm_medium=post`);
    expect(page.cookies[0]).toMatchObject({ name: 'parley_visitor', httpOnly: true, sameSite: 'Lax' });
    expect(await own.clicks()).toMatchObject([{ campaignId: link.id, utmMedium: 'post' }]);
    const short = browser();
    const { headers } = await short.follow(link);
    await short.open((headers.location as string).replace('http://parley.test', ''));
    expect([(await own.clicks()).length, await own.reasons()]).toEqual([2, ['repeat']]);
  });

  it('counts nothing for a missing or unknown partner', async () => {
    for (const url of ['/products/mainchat', '/products/mainchat?a=999999999', '/signup?a=x', '/join?a='])
      expect((await browser().open(url)).headers).not.toHaveProperty('set-cookie');
  });

  it('shows the offer of the campaign', async () => {
    const { id: couponId } = await partner.scope
      .insert('coupons', { label: '<b>20 % off</b>', percentOff: 20, createdAt: test.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { slug } = await partner.addLink({ trialDays: 30, couponId });
    const { body } = await browser().open(`/products/mainchat?a=${partner.id}&utm_campaign=${slug}`);
    expect(body).toContain('30-day trial');
    expect(body).toContain('&lt;b&gt;20 % off');
    expect((await browser().open('/products/mainchat')).body).toContain('14-day trial');
  });
});

describe('pages', () => {
  it.each([
    '/products/mainchat',
    '/products/chatbot',
    '/products/helpdesk',
    '/products/mainchat/any/page/',
    '/signup',
    '/join',
  ])('%s forbids scripts and framing', async (url) => {
    const page = await browser().open(url);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.body).not.toMatch(/<script| style=| on\w+=/);
    for (const link of linksOf(page.body)) expect((await browser().open(link)).statusCode, link).toBe(200);
  });

  it.each(['/products/nothing', '/products/constructor', '/products/nothing/more'])('%s returns 404', async (url) =>
    expect((await browser().open(url)).statusCode).toBe(404),
  );

  it('escape URL parameters', async () => {
    const evil = '"><script>alert(1)</script>';
    for (const path of ['/products/mainchat', '/signup', '/join']) {
      const query = new URLSearchParams({ a: evil, utm_campaign: evil, utm_medium: evil, product: evil });
      expect((await browser().open(`${path}?${query}`)).body).not.toContain('<script');
    }
  });
});

describe('forms', () => {
  it('show errors and keep the submitted values except the password', async () => {
    const { submit } = browser();
    const page = await submit('/signup', {
      ...person(),
      email: 'nora"<',
      name: '',
      utm_term: 'kept',
      product: 'chatbot',
    });
    expect(page.statusCode).toBe(400);
    expect(page.body).toContain('value="nora&quot;&lt;"');
    expect(page.body).toContain('value="Corner shop"');
    expect(page.body).toContain('<option value="chatbot" selected>');
    expect(hiddenOf(page.body)).toEqual({ utm_term: 'kept' });
    expect(page.body).not.toContain('a long password');
    for (const field of ['email', 'name'])
      expect(page.body).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
    expect(page.body).not.toMatch(/id="organization"[^>]*aria-invalid/);
  });

  it('reject a common password at its field', async () => {
    const refused = await browser().submit('/signup', { ...person(), password: 'password' });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toMatch(/id="password-error">Enter a less common password/);
  });

  it('answer CSRF and rate-limit errors with pages', async () => {
    const refused = await openVisitor(test).send({
      ...{ url: '/signup', method: 'POST', payload: new URLSearchParams(person()).toString() },
      headers: { accept: ACCEPT, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    });
    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain('role="alert"');
  });

  it('create a partner and show the token once', async () => {
    const { submit } = browser();
    const { email, password } = person();
    const done = await submit('/join', {
      email,
      password,
      first_name: 'Nora',
      last_name: 'New',
      a: String(partner.id),
    });
    expect(done.statusCode).toBe(201);
    expect(done.body).toMatch(/<code>dal-[\w-]{43}<\/code>/);
    const wrong = await submit('/join', { email: '', password, first_name: 'Nora', last_name: '' });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('value="Nora"');
  });
});
