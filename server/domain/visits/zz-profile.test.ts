import { randomUUID } from 'node:crypto';
import { it } from 'vitest';
import { buildOrganization } from '#server/testing/factories.ts';
import { buildGreeting } from '#server/testing/greetings.ts';
import { startTestApp } from '#server/testing/start-app.ts';
import { toSighting } from './beacons.ts';
import { trackVisitors } from './track-visitors.ts';
import pg from 'pg';

it('profile', { timeout: 120000 }, async () => {
  await using test = await startTestApp();
  const shop = await buildOrganization(test);
  await buildGreeting(shop, { rules: [{ type: 'url_visited', operator: 'contains', value: '/never' }] });
  const times = new Map<string, number>();
  const original = pg.Client.prototype.query;
  (pg.Client.prototype as any).query = function (this: any, ...args: any[]) {
    const text = String(args[0]?.text ?? args[0]).replace(/\s+/g, ' ').slice(0, 70);
    const from = performance.now();
    const result = (original as any).apply(this, args);
    if (result?.then) return result.then((r: any) => { times.set(text, (times.get(text) ?? 0) + performance.now() - from); return r; });
    return result;
  };
  const ids = Array.from({ length: 2000 }, () => randomUUID());
  const make = (id: string, opened: boolean) =>
    toSighting({ customerId: id, secret: 'x'.repeat(32), page: { url: 'https://shop.test/a' }, opened, left: false, browser: { ip: '10.0.0.1', userAgent: 'x' }, looks: opened }, test.context.services.secrets.hash('x'), test.clock.now());
  for (const [name, opened] of [['arrive', true], ['page', true], ['beat', false]] as const) {
    times.clear();
    const from = performance.now();
    for (let at = 0; at < ids.length; at += 250) await trackVisitors(shop.scope, ids.slice(at, at + 250).map((id) => make(id, opened)));
    console.log(name, ((performance.now() - from) / 8).toFixed(0), 'ms per batch of 250');
    for (const [text, ms] of [...times].sort((a, b) => b[1] - a[1]).slice(0, 8)) console.log('   ', (ms / 8).toFixed(1), text);
  }
  pg.Client.prototype.query = original;
});
