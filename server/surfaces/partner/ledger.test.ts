import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { readStatementFile } from '#server/domain/partners/statements/statement-file.ts';
import { verifyChain } from '#server/domain/partners/statements/verify-chain.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, buildPartner, type TestOrganization } from '#server/testing/builders/factories.ts';
import { earn, partnerScope } from '#server/testing/builders/ledger.ts';
import { buildReferredPartner, callOperator, refer } from '#server/testing/builders/referrals.ts';
import { callAs } from '../../testing/http/partner.ts';

const DAY_MS = 24 * 3600 * 1000;

const test = useTestApp();
let partner: { id: number; token: string };
let organization: TestOrganization;
beforeEach(async () => {
  partner = await buildPartner(test);
  organization = await buildOrganization(test);
});

const send = callOperator(() => test);
const as = ({ token }: { token: string }) =>
  callAs(
    () => test,
    () => token,
  );
const list = async (query = '', who = partner) => (await as(who)('GET', `/commissions${query}`)).body;
const pay = async (to = organization, amount_cents = 4900) => {
  const external_id = `pay-${randomUUID()}`;
  await send('POST', `/organizations/${to.id}/payments`, {
    ...{ external_id, product: 'mainchat', currency: 'USD', amount_cents },
  });
  return external_id;
};
const stamp = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ');
/** Advances the clock to the first second of a later month. */
const advanceMonths = (months: number) => {
  const now = test.clock.now();
  const target = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months);
  test.clock.advance(target - now.getTime());
};
const closeMonths = () => test.context.background.scheduler.run('close-statements');
const file = async (month: string, who = partner) =>
  test.app.inject({ url: `/v2/partners/statements/${month}`, headers: { authorization: `Bearer ${who.token}` } });

describe('a commission', () => {
  it('a commission lists its steps from the click to reversals', async () => {
    const scope = partnerScope(test, partner.id);
    const { id: campaignId, name } = await scope
      .from('campaigns')
      .where('product', '=', 'mainchat')
      .select(['id', 'name'])
      .executeTakeFirstOrThrow();
    const clickedAt = new Date(test.clock.now().getTime() - DAY_MS);
    const click = { id: randomUUID(), visitorId: randomUUID(), fingerprint: Buffer.alloc(8), clickedAt };
    await scope.insert('clicks', { ...click, campaignId }).execute();
    const trialAt = test.clock.now();
    const qualifiedAt = new Date(trialAt.getTime() + DAY_MS);
    await refer(test, partner, organization, { campaignId, clickId: click.id, createdAt: trialAt, qualifiedAt });
    test.clock.advance(2 * DAY_MS);
    const paidAt = test.clock.now();
    const payment = await pay();
    test.clock.advance(DAY_MS);
    const back = { external_id: `${payment}-a`, amount_cents: 490 };
    await send('POST', `/payments/${payment}/refunds`, back);
    await send('POST', `/payments/${payment}/refunds`, { ...back, external_id: `${payment}-b`, kind: 'chargeback' });
    const { results, next_cursor } = await list();
    const reversed_at = stamp(test.clock.now());
    expect(results).toEqual([
      {
        id: expect.any(Number),
        ...{ amount: 9.8, net_amount: 7.84, percent: 20, rule: 'programme', held: false },
        ...{ program: 'affiliate', product: 'mainchat', license_product: 'mainchat', campaign_name: name },
        client_email: 'o***@s***.test',
        chain: {
          ...{ clicked_at: stamp(clickedAt), trial_at: stamp(trialAt), qualified_at: stamp(qualifiedAt) },
          paid_at: stamp(paidAt),
          reversals: [
            { reversed_at, amount: 0.98, kind: 'refund' },
            { reversed_at, amount: 0.98, kind: 'chargeback' },
          ],
        },
      },
    ]);
    expect(next_cursor).toBe('');
    expect(JSON.stringify(results)).not.toContain(organization.owner.login);
    expect(JSON.stringify(results)).not.toContain(organization.id);
    await send('PATCH', `/organizations/${organization.id}`, { status: 'blocked' });
    expect((await list()).results).toMatchObject([{ held: true }]);
  });

  it('second-tier commission does not show clicks of the referred partner', async () => {
    const referred = await buildReferredPartner(test, partner);
    const scope = partnerScope(test, referred.id);
    const { id: campaignId } = await scope.from('campaigns').select('id').limit(1).executeTakeFirstOrThrow();
    const clickId = randomUUID();
    await scope
      .insert('clicks', {
        ...{ id: clickId, campaignId, visitorId: randomUUID(), fingerprint: Buffer.alloc(8), clickedAt: scope.now() },
      })
      .execute();
    await refer(test, referred, organization, { clickId, campaignId });
    await pay();
    const [own] = (await list('', referred)).results;
    expect(own.chain.clicked_at).toBeDefined();
    const [second] = (await list()).results;
    expect(second).toMatchObject({ amount: 2.45, percent: 5, product: 'partner_program', campaign_name: '' });
    expect(second.chain).toEqual({ trial_at: expect.any(String), paid_at: expect.any(String), reversals: [] });
  });

  it('commissions are paged newest first within a range of dates', async () => {
    await refer(test, partner, organization);
    for (let count = 1; count <= 5; count++) {
      await pay(organization, count * 1000);
      if (count % 2 === 0) test.clock.advance(DAY_MS);
    }
    const amounts: number[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=2&next_cursor=${cursor}`);
      amounts.push(...page.results.map(({ amount }: { amount: number }) => amount));
      cursor = page.next_cursor;
    } while (cursor !== '');
    expect(amounts).toEqual([10, 8, 6, 4, 2]);
    const day = stamp(test.clock.now()).slice(0, 10);
    expect((await list(`?date_from=${day}`)).results).toHaveLength(1);
    expect((await list('?date_to=2000-01-01')).results).toEqual([]);
    const { next_cursor } = await list('?limit=1');
    const other = await buildPartner(test);
    expect((await as(other)('GET', `/commissions?next_cursor=${next_cursor}`)).status).toBe(400);
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'cursor=x',
      'date_from=2026-13-01',
      'date_from=2027-01-01&date_to=2026-01-01',
    ])
      expect((await as(partner)('GET', `/commissions?${query}`)).status).toBe(400);
  });

  it('other partners cannot access the license', async () => {
    await refer(test, partner, organization);
    await pay();
    expect((await list('', await buildPartner(test))).results).toEqual([]);
  });
});

describe('statements', () => {
  const months = async (who = partner) => (await as(who)('GET', '/statements')).body.result;

  it('each past month gets one statement, chained by hashes', async () => {
    advanceMonths(1);
    const [first, second, third] = [0, 1, 2].map((more) => {
      const now = test.clock.now();
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more)).toISOString().slice(0, 7);
    }) as [string, string, string];
    await earn(test, partner, 980);
    await closeMonths();
    expect(await months()).toEqual([]);
    advanceMonths(3);
    await Promise.all([closeMonths(), closeMonths()]);
    const made = await months();
    expect(made).toMatchObject([
      { month: first, available: 9.8, previous_hash: '0'.repeat(64), creation_timestamp: stamp(test.clock.now()) },
      { month: second, available: 9.8, previous_hash: made[0].hash },
      { month: third, available: 9.8, previous_hash: made[1].hash },
    ]);
    const files = await Promise.all([first, second, third].map((month) => file(month)));
    expect(files[0]!.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(files[0]!.body).toContain(`hash ${made[0].hash}\n`);
    const sealed = files.map(({ body }, at) => ({ name: String(at), ...readStatementFile(body) }));
    expect(verifyChain(sealed)).toMatchObject({ problems: [], closing: { available: 980, commission: -980 } });
    await closeMonths();
    expect(await months()).toEqual(made);
  });

  it('statements are final: later postings belong to a later month, also when the clock goes back', async () => {
    advanceMonths(1);
    await earn(test, partner, 100);
    advanceMonths(1);
    await closeMonths();
    const [{ month, hash }] = await months();
    test.clock.advance(-DAY_MS);
    await earn(test, partner, 200);
    test.clock.advance(DAY_MS);
    const { recordedAt } = await partnerScope(test, partner.id)
      .from('ledgerTransactions')
      .orderBy('id', 'desc')
      .select('recordedAt')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(recordedAt).toEqual(test.clock.now());
    advanceMonths(1);
    await closeMonths();
    expect(await months()).toMatchObject([{ month, hash, available: 1 }, { available: 3 }]);
  });

  it('a partner without postings has no statements and cannot read those of others', async () => {
    await earn(test, partner, 100);
    advanceMonths(1);
    await closeMonths();
    const [{ month }] = await months();
    const other = await buildPartner(test);
    expect(await months(other)).toEqual([]);
    expect((await file(month, other)).statusCode).toBe(404);
    expect((await file('1999-01')).statusCode).toBe(404);
    for (const wrong of ['2026-13', '2026', '2026-1', 'x', '2026-01-01'])
      expect((await file(wrong)).statusCode).toBe(400);
    expect((await file(month)).statusCode).toBe(200);
  });
});
