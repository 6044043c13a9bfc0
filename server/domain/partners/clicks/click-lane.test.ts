import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openPartnerScope, type PartnerScope } from '#server/domain/scope.ts';
import { startDatabaseProxy } from '#server/testing/app/database-proxy.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import type { Hit } from './click-batch.ts';
import { type ClickLaneParts, createClickLane } from './click-lane.ts';

/** Enough for a busy machine. */
const PATIENT = { timeout: 60_000 };

const test = useTestApp();
let partner: PartnerScope;
let campaign: { id: number; code: string };
beforeEach(async () => {
  const { id } = await buildPartner(test);
  partner = openPartnerScope(test.context.services, { kind: 'partner', id }, id);
  campaign = await partner.from('campaigns').select(['id', 'code']).limit(1).executeTakeFirstOrThrow();
});

const hit = (input: Partial<Hit> = {}): Hit => ({
  ...{ partnerId: partner.partnerId, campaignId: campaign.id, visitorId: randomUUID(), returning: true },
  ...{ fingerprint: randomUUID().replaceAll('-', ''), clickedAt: test.clock.now(), reason: undefined },
  ...{ userAgent: 'A browser', referrer: undefined, utmMedium: '', utmContent: '', utmTerm: '' },
  ...input,
});

const away = Object.assign(new Error('The database is away'), { code: 'ECONNREFUSED' });

/** A lane whose database a test can delay or break. */
const openLane = (limits: Pick<ClickLaneParts, 'maxWaiting' | 'maxRows'> = {}) => {
  const { log, clock, database } = test.context;
  const state = { fails: undefined as unknown, lost: 0, written: 0, kept: 0, gate: Promise.resolve() };
  const pass = async (): Promise<void> => {
    await state.gate;
    if (state.fails) throw state.fails;
  };
  const breakable: ClickLaneParts['database'] = {
    transaction: async (work) => {
      state.written += 1;
      await pass();
      return database.transaction(work);
    },
    query: async (statement) => {
      if (statement.name === 'store_click_batch') state.kept += 1;
      await pass();
      return database.query(statement);
    },
  };
  const onLost = (count: number): void => {
    state.lost += count;
  };
  return Object.assign(createClickLane({ database: breakable, clock, log, onLost, ...limits }), { state });
};

const stored = async () => (await partner.from('clicks').select('id').execute()).length;
const rolledUp = async () =>
  (await partner.from('clickDays').select('clicks').execute()).reduce((sum, { clicks }) => sum + clicks, 0);

describe('the click lane', () => {
  it('writes clicks that arrive during a write as the next batch', async () => {
    const { add, flush, waiting, state } = openLane();
    for (let at = 0; at < 90; at++) expect(add(hit())).toBeUndefined();
    await flush();
    expect([await stored(), await rolledUp(), waiting(), state.written, state.kept]).toEqual([90, 90, 0, 2, 0]);
  });

  it('stores large batches first and counts them later', async () => {
    const { add, flush, waiting, state } = openLane();
    const visitorId = randomUUID();
    for (let at = 0; at < 500; at++) expect(add(hit())).toBeUndefined();
    add(hit({ visitorId }));
    add(hit({ visitorId }));
    await flush();
    expect([await stored(), await rolledUp(), waiting(), state.kept]).toEqual([501, 501, 0, 1]);
    expect(await partner.db.selectFrom('clickBatches').selectAll().execute()).toEqual([]);
  });

  it('treats a click that is counted late as repeated only within the hour', async () => {
    const { add, flush } = openLane();
    const visitorId = randomUUID();
    const now = test.clock.now().getTime();
    for (const minutes of [0, -60, -59, 61]) {
      add(hit({ visitorId, clickedAt: new Date(now + minutes * 60_000) }));
      await flush();
    }
    expect(await stored()).toBe(3);
  });

  it('counts stored batches of a killed process', async () => {
    const { add, state } = openLane();
    for (let at = 0; at < 300; at++) add(hit());
    await expect.poll(() => state.kept, PATIENT).toBe(1);
    const { promise } = Promise.withResolvers<void>();
    state.gate = promise;
    const other = openLane();
    test.clock.advance(10_000);
    await other.adopt();
    await expect.poll(stored, PATIENT).toBe(300);
    await expect.poll(() => partner.db.selectFrom('clickBatches').selectAll().execute(), PATIENT).toEqual([]);
    await other.stop();
    expect(await rolledUp()).toBe(300);
  });

  it('counts all other batches if a stored batch is unreadable', async () => {
    const id = randomUUID();
    await partner.db
      .insertInto('clickBatches')
      .values({ id, storedAt: new Date(0), clicks: '[]' })
      .execute();
    const lane = openLane();
    await lane.adopt();
    for (let at = 0; at < 300; at++) lane.add(hit());
    await expect.poll(stored, PATIENT).toBe(300);
    expect(await partner.db.selectFrom('clickBatches').select('id').execute()).toEqual([{ id }]);
    await partner.db.deleteFrom('clickBatches').where('id', '=', id).execute();
    await lane.stop();
  });

  it('buffers clicks while the database is unavailable without delaying visitors or losing any', async () => {
    const { add, flush, waiting, state } = openLane();
    state.fails = away;
    for (let at = 0; at < 6000; at++) await add(hit());
    await expect(flush()).rejects.toThrow('away');
    expect([waiting(), await stored()]).toEqual([6000, 0]);
    state.fails = undefined;
    await flush();
    expect([waiting(), await stored(), await rolledUp(), state.lost]).toEqual([0, 6000, 6000, 0]);
  });

  it('applies back pressure when too many clicks are unwritten', async () => {
    const { add, waiting, state } = openLane();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const waits = Array.from({ length: 10_001 }, () => add(hit()));
    expect(waits.slice(0, 10_000).every((wait) => wait === undefined)).toBe(true);
    let isOver = false;
    const wait = waits[10_000]!.then(() => {
      isOver = true;
    });
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    resolve();
    await wait;
    expect(waiting()).toBeLessThanOrEqual(10_000);
  });

  it('limits the number of stored batches without losing any', async () => {
    const { add, flush, state } = openLane({ maxRows: 1 });
    for (let at = 0; at < 12_000; at++) void add(hit());
    await flush();
    expect([await stored(), await rolledUp(), state.lost]).toEqual([12_000, 12_000, 0]);
    expect(state.kept).toBeGreaterThan(1);
  });

  it('drops clicks beyond the limit of the buffer', async () => {
    const { add, flush, state } = openLane({ maxWaiting: 10 });
    state.fails = away;
    for (let at = 0; at < 15; at++) add(hit());
    expect(state.lost).toBe(5);
    state.fails = undefined;
    await flush();
    expect(await stored()).toBe(10);
  });

  it('counts a batch once if the result of the write is unknown', async () => {
    let isFirst = true;
    const lost = createClickLane({
      ...{ log: test.context.log, clock: test.clock, onLost: () => {} },
      database: {
        query: (statement) => test.context.database.query(statement),
        transaction: async (work) => {
          const result = await test.context.database.transaction(work);
          if (!isFirst) return result;
          isFirst = false;
          throw away;
        },
      },
    });
    const visitorId = randomUUID();
    for (const one of [hit({ visitorId }), hit({ visitorId }), hit(), hit({ reason: 'bot' })]) lost.add(one);
    await expect(lost.flush()).rejects.toThrow();
    await lost.flush();
    const reasons = await partner.from('uncountedClicks').select('reason').orderBy('reason').execute();
    expect([await stored(), await rolledUp()]).toEqual([2, 2]);
    expect(reasons.map(({ reason }) => reason)).toEqual(['bot', 'repeat']);
  });

  it.each([2, 200])('loses only the click that cannot be written, none of %i others', async (others) => {
    const { add, flush, state } = openLane();
    add(hit({ visitorId: 'nobody' }));
    for (let at = 0; at < others; at++) add(hit());
    add(hit({ visitorId: 'nobody' }));
    await flush();
    expect([await stored(), await rolledUp(), state.lost]).toEqual([others, others, 2]);
  });

  it('writes buffered clicks before it stops', async () => {
    const { add, stop } = openLane();
    for (let at = 0; at < 50; at++) add(hit());
    await stop();
    expect(await stored()).toBe(50);
  });

  it('reports buffered clicks as lost if it stops without a database', async () => {
    const { add, flush, stop, state } = openLane();
    state.fails = away;
    for (let at = 0; at < 50; at++) add(hit());
    await flush().catch(() => {});
    await stop();
    expect(state.lost).toBe(50);
  });

  it('accepts any header value that a browser may send', async () => {
    const { add, flush } = openLane();
    const odd = `"quoted", \\back\\slash, {braces}, null, é € 😀 ' -- ;`;
    add(hit({ userAgent: odd, referrer: odd, utmMedium: odd, utmContent: 'null\0', utmTerm: '{}\ud800' }));
    await flush();
    const columns = ['userAgent', 'referrer', 'utmMedium', 'utmContent', 'utmTerm'] as const;
    expect(await partner.from('clicks').select(columns).execute()).toEqual([
      { userAgent: odd, referrer: odd, utmMedium: odd, utmContent: 'null', utmTerm: '{}\ufffd' },
    ]);
  });
});

describe('an unavailable database', () => {
  it('does not break cached links, and their clicks are counted when it is back', async () => {
    const proxy = await startDatabaseProxy(test.connection);
    await using beside = await startTestApp({ beside: test, connection: proxy.connection });
    const follow = (ip: string, code = campaign.code) =>
      beside.app.inject({
        url: `/go/${code}`,
        remoteAddress: ip,
        headers: { 'user-agent': 'Mozilla/5.0 (X11) Chrome/142.0' },
      });
    expect((await follow('192.0.2.1')).statusCode).toBe(302);
    await beside.context.services.partners.clicks.flush();
    await proxy.disconnect();
    expect((await follow('192.0.2.2')).statusCode).toBe(302);
    expect((await follow('192.0.2.3')).statusCode).toBe(302);
    expect((await follow('192.0.2.3', 'unknown')).statusCode).toBe(503);
    await proxy.reconnect();
    const flush = (): Promise<void> => beside.context.services.partners.clicks.flush().catch(flush);
    await flush();
    expect([await stored(), await rolledUp()]).toEqual([3, 3]);
  });
});
