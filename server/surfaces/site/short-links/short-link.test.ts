import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { newVisitorId } from '#server/domain/partners/clicks/visitor-id.ts';
import { findLastReferrer } from '#server/storage/platform-referrals.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  BROWSER,
  buildReferrer,
  openVisitor,
  type TestLink,
  type TestReferrer,
} from '../../../testing/builders/click-links.ts';

const test = useTestApp();
let partner: TestReferrer;
let link: TestLink;
beforeEach(async () => {
  partner = await buildReferrer(test);
  link = await partner.linkOf('mainchat');
});

const landing = () => `http://parley.test/products/mainchat?a=${partner.id}&utm_campaign=${link.slug}`;
const sumOfDays = async () => {
  const rows = await partner.scope.from('clickDays').select('clicks').execute();
  return rows.reduce((sum, { clicks }) => sum + clicks, 0);
};

describe('a short link', () => {
  it('redirects to the landing page of its campaign and counts the click', async () => {
    const response = await openVisitor(test).follow(link, { referer: 'https://blog.example/post' });
    expect([response.statusCode, response.headers.location]).toEqual([302, landing()]);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(response.cookies).toEqual([
      expect.objectContaining({ path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 120 * 24 * 3600 }),
    ]);
    expect(response.cookies[0]).not.toHaveProperty('secure');
    expect(await partner.clicks()).toMatchObject([
      { campaignId: link.id, visitorId: response.cookies[0]!.value, referrer: 'https://blog.example/post' },
    ]);
    expect([await partner.reasons(), await sumOfDays()]).toEqual([[], 1]);
  });

  it('sets a Secure cookie only over TLS', async () => {
    await using secure = await startTestApp({ beside: test, config: { publicUrl: 'https://chat.example' } });
    const response = await openVisitor(secure).follow(link);
    expect(response.cookies[0]).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax' });
    expect(response.headers.location).toMatch(/^https:\/\/chat\.example\/products\/mainchat\?/);
  });

  it('passes on UTM parameters within limits and nothing else', async () => {
    const visitor = openVisitor(test);
    const marks = new URLSearchParams({
      ...{ utm_medium: 'mail', utm_content: 'x'.repeat(300), utm_term: 'é & ü', utm_source: 'news' },
      ...{ a: '1', utm_campaign: 'of-another', next: 'https://evil.example/' },
    });
    const { headers } = await visitor.send({ url: `/go/${link.code}?${marks}` });
    const to = new URL(headers.location as string);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      ...{ a: String(partner.id), utm_campaign: link.slug },
      ...{ utm_medium: 'mail', utm_content: 'x'.repeat(100), utm_term: 'é & ü', utm_source: 'news' },
    });
    expect(await partner.clicks()).toMatchObject([{ utmMedium: 'mail' }]);
  });

  it('redirects to a custom landing page and keeps its parameters', async () => {
    const own = await partner.addLink({ landingUrl: 'http://parley.test/products/mainchat/sale/?color=red#top' });
    const { headers } = await openVisitor(test).follow(own);
    expect(headers.location).toBe(
      `http://parley.test/products/mainchat/sale/?color=red&a=${partner.id}&utm_campaign=${own.slug}#top`,
    );
  });

  it.each([
    'https://evil.example/',
    'http://parley.test@evil.example/',
    '//evil.example/',
    'javascript:alert(1)',
    'http://parley.test/go/abc',
  ])('never redirects to %s, even if it is stored', async (landingUrl) => {
    const { headers, statusCode } = await openVisitor(test).follow(await partner.addLink({ landingUrl }));
    expect([statusCode, headers.location]).toEqual([
      302,
      expect.stringMatching(/^http:\/\/parley\.test\/products\/mainchat\?a=/),
    ]);
  });

  it.each(['nothing', 'x'.repeat(300), '%00', "'%20or%201=1", '..%2f..%2f', 'é'])(
    'rejects the unknown code %s',
    async (code) => {
      const response = await openVisitor(test).send({ url: `/go/${encodeURI(code)}` });
      expect([400, 404]).toContain(response.statusCode);
    },
  );

  it('shows a 404 page for an unknown code', async () => {
    const response = await openVisitor(test).follow({ code: 'nothing' });
    expect(response.statusCode).toBe(404);
    expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.headers).not.toHaveProperty('set-cookie');
  });

  it('rejects other methods with 405', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const response = await openVisitor(test).send({ url: `/go/${link.code}`, method });
      expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
    expect(await partner.clicks()).toEqual([]);
  });
});

describe('a request that is not a click is stored with a reason', () => {
  it('if it is a HEAD request', async () => {
    const response = await openVisitor(test).send({ url: `/go/${link.code}`, method: 'HEAD' });
    expect([response.statusCode, response.headers.location, response.body]).toEqual([302, landing(), '']);
    expect([await partner.clicks(), await partner.reasons()]).toEqual([[], ['head']]);
  });

  it.each<Record<string, string>>([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
    { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-mode': 'no-cors' },
  ])('if it is a prefetch: %o', async (headers) => {
    expect((await openVisitor(test).follow(link, headers)).statusCode).toBe(302);
    expect([await partner.clicks(), await partner.reasons()]).toEqual([[], ['prefetch']]);
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-mode': 'cors' },
  ])('unless it is a navigation or a fetch: %o', async (headers) => {
    await openVisitor(test).follow(link, headers);
    expect(await partner.clicks()).toHaveLength(1);
  });

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'curl/8.5.0',
    '',
  ])('if it comes from the bot %j', async (userAgent) => {
    expect((await openVisitor(test, { userAgent }).follow(link)).statusCode).toBe(302);
    expect([await partner.clicks(), await partner.reasons()]).toEqual([[], ['bot']]);
  });

  it('if the campaign was just disabled, and still redirects', async () => {
    await openVisitor(test).follow(link);
    expect(await partner.clicks()).toHaveLength(1);
    test.clock.advance(1000);
    await partner.disable(link);
    const response = await openVisitor(test, { ip: '192.0.2.2' }).follow(link);
    expect([response.statusCode, response.headers.location]).toEqual([302, landing()]);
    expect([(await partner.clicks()).length, await partner.reasons()]).toEqual([1, ['campaign_disabled']]);
  });

  it('if the partner is blocked', async () => {
    await partner.block();
    expect((await openVisitor(test).follow(link)).statusCode).toBe(302);
    expect([await partner.clicks(), await partner.reasons()]).toEqual([[], ['partner_blocked']]);
  });
});

describe('a visitor', () => {
  it('counts once per hour and link, identified by cookie', async () => {
    const visitor = openVisitor(test);
    const other = await partner.linkOf('chatbot');
    for (let again = 0; again < 3; again++) await visitor.follow(link);
    await visitor.follow(other);
    expect([(await partner.clicks()).length, await partner.reasons()]).toEqual([2, ['repeat', 'repeat']]);
    test.clock.advance(3_599_999);
    await visitor.follow(link);
    expect((await partner.reasons()).length).toBe(3);
    test.clock.advance(1);
    await visitor.follow(link);
    expect((await partner.clicks()).length).toBe(3);
    expect(await sumOfDays()).toBe(3);
  });

  it('is recognized after deleting the cookie', async () => {
    const visitor = openVisitor(test);
    for (let again = 0; again < 3; again++) {
      visitor.forget();
      await visitor.follow(link);
      await visitor.follow(link);
    }
    expect([(await partner.clicks()).length, (await partner.reasons()).length]).toEqual([1, 5]);
  });

  it('is recognized in another network', async () => {
    const visitor = openVisitor(test);
    await visitor.follow(link);
    await openVisitor(test, { ip: '198.51.100.9' }).follow(link, { cookie: visitor.cookie()! });
    expect([(await partner.clicks()).length, await partner.reasons()]).toEqual([1, ['repeat']]);
  });

  it('without cookies is identified by IP and browser', async () => {
    const visitor = openVisitor(test);
    const clickAnew = async () => {
      visitor.forget();
      await visitor.follow(link);
    };
    await clickAnew();
    await clickAnew();
    await partner.clicks();
    await clickAnew();
    await openVisitor(test, { ip: '192.0.2.9' }).follow(link);
    await openVisitor(test, { userAgent: BROWSER.replace('142', '141') }).follow(link);
    expect([(await partner.clicks()).length, await partner.reasons()]).toEqual([3, ['repeat', 'repeat']]);
  });

  it('is one of at most five per address, link and hour, whatever the browser and cookie', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const followAs = (number: number, ip = '192.0.2.1') =>
      openVisitor(limited, { ip, userAgent: BROWSER.replace('142', String(100 + number)) }).follow(link);
    for (let number = 0; number < 10; number++) await followAs(number);
    await limited.context.services.partners.clicks.flush();
    expect([(await partner.clicks()).length, await partner.reasons()]).toEqual([5, Array(5).fill('repeat')]);
    for (let network = 0; network < 2; network++) await followAs(network, `2001:db8:1:${network}::1`);
    await limited.context.services.partners.clicks.flush();
    expect((await partner.clicks()).length).toBe(7);
    test.clock.advance(3_600_000);
    await followAs(9);
    await limited.context.services.partners.clicks.flush();
    expect((await partner.clicks()).length).toBe(8);
  });

  it('that does not count is still credited to the partner, but not for a disabled campaign', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const visitors = Array.from({ length: 6 }, (_, number) =>
      openVisitor(limited, { userAgent: BROWSER.replace('142', String(100 + number)) }),
    );
    for (const visitor of visitors) await visitor.follow(link);
    await limited.context.services.partners.clicks.flush();
    test.clock.advance(1000);
    await partner.disable(link);
    await openVisitor(limited, { userAgent: BROWSER.replace('142', '99') }).follow(link);
    await limited.context.services.partners.clicks.flush();
    expect(await partner.reasons()).toEqual(['repeat', 'campaign_disabled']);
    const visitorId = visitors.at(-1)!.cookie()!.split('=')[1]!;
    const since = new Date(test.clock.now().getTime() - 60_000);
    expect(await findLastReferrer(test.context.database, { visitorId, since })).toMatchObject({
      partnerId: partner.id,
    });
  });

  it('is distinguished from others behind the same IP once each cookie is an hour old', async () => {
    const ann = openVisitor(test);
    const ben = openVisitor(test);
    const elsewhere = await partner.linkOf('chatbot');
    await ann.follow(elsewhere);
    await ben.follow(elsewhere);
    expect((await partner.clicks()).length).toBe(1);
    test.clock.advance(3_600_000);
    await ann.follow(link);
    await ben.follow(link);
    expect((await partner.clicks()).filter(({ campaignId }) => campaignId === link.id)).toHaveLength(2);
  });

  it('can send malformed cookies', async () => {
    for (const value of ['x', "'", randomUUID().slice(1), '%00', 'a'.repeat(5000)]) {
      const response = await openVisitor(test, { ip: `192.0.2.${value.length % 250}` }).follow(link, {
        cookie: `parley_visitor=${value}`,
      });
      expect(response.statusCode).toBe(302);
      expect(response.cookies[0]!.value).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('is identified by the IP that a trusted proxy reports, and no other', async () => {
    await using behind = await startTestApp({ beside: test, config: { trustedProxies: ['192.0.2.1'] } });
    for (const client of ['198.51.100.1', '198.51.100.2', '198.51.100.1'])
      await openVisitor(behind).follow(link, { 'x-forwarded-for': client });
    await behind.context.services.partners.clicks.flush();
    expect([(await partner.clicks()).length, await partner.reasons()]).toEqual([2, ['repeat']]);
    for (const client of ['203.0.113.1', '203.0.113.2'])
      await openVisitor(test, { ip: '192.0.2.77' }).follow(link, { 'x-forwarded-for': client });
    expect((await partner.clicks()).length).toBe(3);
  });
});

describe('concurrent hits', () => {
  it('of a thousand visitors count as a thousand clicks', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, at) => openVisitor(test, { ip: `10.0.${at >> 8}.${at & 255}` }).follow(link)),
    );
    expect(answers.every(({ statusCode }) => statusCode === 302)).toBe(true);
    expect([(await partner.clicks()).length, await partner.reasons(), await sumOfDays()]).toEqual([1000, [], 1000]);
  });

  it('of one visitor count as one click', async () => {
    await Promise.all(Array.from({ length: 1000 }, () => openVisitor(test).follow(link)));
    expect([(await partner.clicks()).length, (await partner.reasons()).length, await sumOfDays()]).toEqual([1, 999, 1]);
  });

  it('of one visitor in two processes count as one click', async () => {
    await using other = await startTestApp({ beside: test });
    const cookie = `parley_visitor=${newVisitorId(test.clock.now())}`;
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => openVisitor(at % 2 === 0 ? test : other).follow(link, { cookie })),
    );
    await other.context.services.partners.clicks.flush();
    expect([(await partner.clicks()).length, (await partner.reasons()).length, await sumOfDays()]).toEqual([1, 99, 1]);
  });
});
