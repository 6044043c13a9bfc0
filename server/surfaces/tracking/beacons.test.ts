import { Script } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { issueCookieToken } from '#server/domain/support/customers/tokens.ts';
import { createGoal } from '#server/domain/support/goals/manage-goals.ts';
import { createTracker } from '#server/domain/support/visits/tracker.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildGroup, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { buildGreeting } from '#server/testing/builders/greetings.ts';
import { openBrowser, readPages, readVisits } from '../../testing/http/beacons.ts';

const test = useTestApp();
let shop: TestOrganization;
beforeAll(async () => {
  shop = await buildOrganization(test);
});

const visitsOf = (id: string) => readVisits(shop, id);
const pagesOf = (id: string) => readPages(shop, id);

const hitsOf = (id: string) =>
  shop.scope.from('goalHits').where('customerId', '=', id).select(['goalId', 'sale']).execute();

describe('GET /tracking.js', () => {
  it('is small, cached, and readable from any site', async () => {
    const { body, headers, statusCode } = await test.app.inject('/tracking.js');
    expect(statusCode).toBe(200);
    expect(Buffer.byteLength(body)).toBeLessThan(2_700);
    expect(() => new Script(body)).not.toThrow();
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=3600',
    });
    const again = await test.app.inject({ url: '/tracking.js', headers: { 'if-none-match': String(headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await test.app.inject({ method: 'POST', url: '/tracking.js' })).statusCode).toBe(405);
  });
});

describe('a beacon', () => {
  it('starts a visit with the data of the browser', async () => {
    const { id, send } = openBrowser(test, shop);
    const { status, body, headers } = await send({
      event: 'view',
      referrer: 'https://www.google.com/search?q=red+shoes',
      language: 'pl-PL',
      timezone: 'Europe/Warsaw',
    });
    expect([status, body]).toEqual([200, { recognised: true, next_in: 20, look: false }]);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(await visitsOf(id)).toMatchObject([
      { number: 1, pageCount: 1, language: 'pl-PL', timezone: 'Europe/Warsaw', ip: '127.0.0.1', groupId: 0 },
    ]);
    expect(await pagesOf(id)).toEqual([{ number: 1, url: 'https://shop.test/shoes', title: 'Shoes' }]);
  });

  it('continues the same visit, and starts another after half an hour without beacons', async () => {
    const { id, send } = openBrowser(test, shop);
    await send({ event: 'view' });
    test.clock.advance(20_000);
    await send({ event: 'beat' });
    await send({ event: 'view', page: { url: 'https://shop.test/cart' } });
    expect(await visitsOf(id)).toMatchObject([{ pageCount: 2, lastSeenAt: test.clock.now(), endedAt: null }]);
    test.clock.advance(31 * 60_000);
    await send({ event: 'beat', page: { url: 'https://shop.test/back' } });
    expect(await visitsOf(id)).toMatchObject([{ number: 1 }, { number: 2, pageCount: 1 }]);
    expect((await pagesOf(id)).map(({ url }) => url)).toEqual([
      'https://shop.test/shoes',
      'https://shop.test/cart',
      'https://shop.test/back',
    ]);
    const customer = await shop.scope.from('customers').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
    expect(customer).toMatchObject({ visitsCount: 2, pageViewsCount: 3 });
  });

  it('ends the visit when the page is closed, and does not start one', async () => {
    const { id, send } = openBrowser(test, shop);
    await send({ event: 'leave' });
    expect(await visitsOf(id)).toEqual([]);
    await send({ event: 'view' });
    await send({ event: 'leave' });
    expect(await visitsOf(id)).toMatchObject([{ trackedUntil: test.clock.now(), endedAt: null }]);
    test.clock.advance(6_000);
    await test.context.background.scheduler.runFrequent();
    expect((await visitsOf(id))[0]!.endedAt).not.toBeNull();
    await send({ event: 'beat' });
    expect(await visitsOf(id)).toMatchObject([{ number: 1, endedAt: null }]);
  });

  it('ends the visit within a minute if the beacons stop', async () => {
    const { id, send } = openBrowser(test, shop);
    await send({ event: 'view' });
    test.clock.advance(44_000);
    await test.context.background.scheduler.runFrequent();
    expect((await visitsOf(id))[0]!.endedAt).toBeNull();
    test.clock.advance(6_000);
    await test.context.background.scheduler.runFrequent();
    expect((await visitsOf(id))[0]!.endedAt).not.toBeNull();
  });

  it('merges custom variables, and ignores those beyond the limit', async () => {
    const { id, send } = openBrowser(test, shop);
    await send({
      event: 'view',
      variables: [
        { name: 'plan', value: 'free' },
        { name: 'age', value: '7' },
      ],
    });
    await send({ event: 'beat', variables: [{ name: 'plan', value: 'paid' }] });
    const { sessionFields } = await shop.scope
      .from('customers')
      .where('id', '=', id)
      .select('sessionFields')
      .executeTakeFirstOrThrow();
    expect(sessionFields).toEqual([{ plan: 'paid' }, { age: '7' }]);
    const many = Array.from({ length: 99 }, (_, at) => ({ name: `name ${at}`, value: 'x' }));
    expect((await send({ event: 'beat', variables: many })).status).toBe(200);
  });

  it('ignores a group that does not exist', async () => {
    await buildGroup(shop, 3);
    const { id, send } = openBrowser(test, shop);
    await send({ event: 'view', group: 77 });
    expect(await visitsOf(id)).toMatchObject([{ groupId: 0 }]);
    await send({ event: 'view', group: 3 });
    expect(await visitsOf(id)).toMatchObject([{ groupId: 3 }]);
  });

  it('shares the customer with the widget, which may use the same id and secret', async () => {
    const { id, secret, send } = openBrowser(test, shop);
    await send({ event: 'view' });
    const { customerId } = await issueCookieToken(shop.scope, { clientId: 'x', identity: { customerId: id, secret } });
    expect(customerId).toBe(id);
  });
});

describe('concurrent beacons', () => {
  it('are written together, each for its own visitor', async () => {
    const browsers = Array.from({ length: 60 }, () => openBrowser(test, shop));
    const answers = await Promise.all(
      browsers.flatMap(({ send }) => [
        send({ event: 'view' }),
        send({ event: 'view', page: { url: 'https://shop.test/two' } }),
        send({ event: 'beat' }),
      ]),
    );
    expect(answers.every(({ status, body }) => status === 200 && body.recognised)).toBe(true);
    for (const { id } of browsers.slice(0, 5)) {
      expect(await visitsOf(id)).toMatchObject([{ number: 1, pageCount: 2 }]);
      expect((await pagesOf(id)).map(({ number }) => number)).toEqual([1, 2]);
    }
    expect(test.context.realtime.tracker.pendingCount()).toBe(0);
  });

  it('are rejected when too many are queued', async () => {
    const { services, log } = test.context;
    const tracker = createTracker({ services, log, maxWaiting: 2 });
    const beacon = (customerId: string) => ({
      ...{ customerId, secret: 'x'.repeat(32), page: { url: 'https://shop.test/' }, opened: true, left: false },
      ...{ browser: {}, checksGreeting: false },
    });
    const kept = ['1', '2'].map((n) => tracker.track(shop.id, beacon(`00000000-0000-4000-8000-00000000000${n}`)));
    expect(() => tracker.track(shop.id, beacon('00000000-0000-4000-8000-000000000003'))).toThrow(
      'Too many visitor updates',
    );
    expect(await Promise.all(kept)).toMatchObject([{ recognised: true }, { recognised: true }]);
    await tracker.stop();
  });
});

describe('goals', () => {
  it('are reached by pages, by variables and by explicit reports with an order', async () => {
    const byPage = await createGoal(shop.scope, { name: 'Page', condition: { type: 'url', url: '/thanks' } });
    const byField = await createGoal(shop.scope, {
      name: 'Field',
      condition: { type: 'custom_variable', customVariableName: 'vip', customVariableValue: 'yes' },
    });
    const reported = await createGoal(shop.scope, { name: 'Reported', condition: { type: 'api' } });
    const { id, send } = openBrowser(test, shop);
    await send({ event: 'view' });
    expect(await hitsOf(id)).toEqual([]);
    await send({
      event: 'view',
      page: { url: 'https://shop.test/thanks' },
      variables: [{ name: 'vip', value: 'yes' }],
      goals: [
        { id: reported.id, order_id: 'A1', order_price: '19.90', order_currency: 'eur' },
        { id: byPage.id },
        { id: 999 },
      ],
    });
    const hits = await hitsOf(id);
    expect(hits.map(({ goalId }) => goalId).sort()).toEqual([byPage.id, byField.id, reported.id].sort());
    expect(hits.find(({ goalId }) => goalId === reported.id)!.sale).toEqual({
      orderId: 'A1',
      price: '19.90',
      currency: 'EUR',
    });
  });

  it('are updated by a later order, and count an order once, even if its page is reloaded', async () => {
    const reported = await createGoal(shop.scope, { name: 'Reported', condition: { type: 'api' } });
    const { id, send } = openBrowser(test, shop);
    const order = { order_id: 'B1', order_price: '5' };
    await send({ event: 'view', goals: [{ id: reported.id }] });
    for (let visit = 0; visit < 2; visit++) {
      await send({ event: 'view', goals: [{ id: reported.id, ...order }] });
      test.clock.advance(31 * 60_000);
    }
    expect(await hitsOf(id)).toEqual([{ goalId: reported.id, sale: { orderId: 'B1', price: '5' } }]);
  });
});

describe('greetings', () => {
  let greeted: TestOrganization;
  beforeAll(async () => {
    greeted = await buildOrganization(test);
    await buildGreeting(greeted, {
      message: 'Need a hand?',
      rules: [
        { type: 'url_visited', operator: 'contains', value: '/cart' },
        { type: 'visit_time_page', operator: 'greater_or_equal', value: '10' },
      ],
    });
  });

  it('are in the response when their rules match, and can be accepted or canceled', async () => {
    const { id, send } = openBrowser(test, greeted);
    expect((await send({ event: 'view', look: true })).body).toEqual({ recognised: true, next_in: 20, look: false });
    const cart = { url: 'https://shop.test/cart' };
    expect((await send({ event: 'view', look: true, page: cart })).body).toEqual({
      ...{ recognised: true, next_in: 10, look: true },
    });
    test.clock.advance(10_000);
    const { body } = await send({ event: 'beat', look: true, page: cart });
    expect(body.greeting).toMatchObject({ text: 'Need a hand?', agent: { name: 'Olga Owner' } });
    // The next page shows the same greeting again and no other.
    const next = await send({ event: 'view', look: true });
    expect(next.body.greeting).toEqual(body.greeting);
    const { id: greetingId, unique_id } = body.greeting;
    const decision = { id: greetingId, unique_id, decision: 'refused' as const };
    expect((await send({ event: 'beat', greeting: decision })).status).toBe(200);
    expect((await send({ event: 'view', look: true })).body).not.toHaveProperty('greeting');
    const shown = await greeted.scope.from('greetingDisplays').where('customerId', '=', id).selectAll().execute();
    expect(shown).toMatchObject([{ acceptedAt: null, canceledAt: test.clock.now() }]);
    const mine = openBrowser(test, greeted);
    await mine.send({ event: 'view' });
    expect((await mine.send({ event: 'beat', greeting: decision })).status).toBe(404);
  });

  it('are not sent to pages that cannot show them, nor while no agent accepts chats', async () => {
    const cart = { url: 'https://shop.test/cart' };
    const mute = openBrowser(test, greeted);
    await mute.send({ event: 'view', page: cart });
    test.clock.advance(11_000);
    expect((await mute.send({ event: 'beat', page: cart })).body).not.toHaveProperty('greeting');
    await setAgentStatus(greeted.scope, { login: greeted.owner.login, status: 'offline' });
    expect((await mute.send({ event: 'beat', page: cart, look: true })).body).not.toHaveProperty('greeting');
  });
});
