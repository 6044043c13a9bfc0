import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setInstalled } from '#server/storage/platform-referrals.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { Program } from '#server/storage/tables/programme.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { partnerScope } from '#server/testing/builders/ledger.ts';
import { post } from '../ledger/post.ts';

const ROUNDS = 25;

let test: TestApp;
let partners: { id: number }[];
beforeAll(async () => {
  test = await startTestApp();
  partners = [await buildPartner(test), await buildPartner(test)];
});
afterAll(() => test[Symbol.asyncDispose]());

interface License {
  id: string;
  partnerId: number;
}
const licenses: License[] = [];

const anyMarks = fc.record({
  program: fc.constantFrom<Program>('affiliate', 'affiliate', 'solution'),
  product: fc.constantFrom<Product>('mainchat', 'chatbot'),
  utmMedium: fc.constantFrom('', 'mail', "it's"),
});
const anyMilestones = fc.subarray(['qualifiedAt', 'installedAt', 'tenthChatAt', 'convertedAt'] as const);
const anyCommand = fc.oneof(
  fc.record({ do: fc.constant('begin' as const), who: fc.nat(1), marks: anyMarks, milestones: anyMilestones }),
  fc.record({ do: fc.constant('note' as const), which: fc.nat(99), milestones: anyMilestones }),
  fc.record({ do: fc.constant('install' as const), which: fc.nat(99) }),
  fc.record({ do: fc.constant('earn' as const), which: fc.nat(99), cents: fc.integer({ min: -900, max: 900 }) }),
  fc.record({ do: fc.constant('mark' as const), which: fc.nat(99), marks: anyMarks }),
  fc.record({ do: fc.constant('status' as const), which: fc.nat(99) }),
);
type Command = typeof anyCommand extends fc.Arbitrary<infer C> ? C : never;

const reached = (milestones: string[]) => Object.fromEntries(milestones.map((name) => [name, test.clock.now()]));

const begin = async ({ who, marks, milestones }: Command & { do: 'begin' }): Promise<void> => {
  const id = randomUUID();
  const createdAt = test.clock.now();
  const about = {
    name: 'A',
    plan: 'team',
    region: 'dal',
    timezone: 'UTC',
    trialEndsAt: null,
    status: 'trial',
  } as const;
  await test.context.database.kysely
    .insertInto('organizations')
    .values({ id, ...about, createdAt })
    .execute();
  const partnerId = partners[who]!.id;
  await partnerScope(test, partnerId)
    .insert('referredLicenses', { organizationId: id, ...marks, status: 'trial', createdAt, ...reached(milestones) })
    .execute();
  licenses.push({ id, partnerId });
};

const change = async (command: Exclude<Command, { do: 'begin' }>): Promise<void> => {
  const license = licenses[command.which % licenses.length];
  if (!license) return;
  const { id, partnerId } = license;
  const scope = partnerScope(test, partnerId);
  const set = (changes: object) =>
    scope.update('referredLicenses').where('organizationId', '=', id).set(changes).execute();
  if (command.do === 'install') await setInstalled(test.context.database, id, test.clock.now());
  if (command.do === 'mark') await set(command.marks);
  if (command.do === 'note' && command.milestones.length > 0) await set(reached(command.milestones));
  if (command.do === 'status')
    await test.context.database.kysely
      .updateTable('organizations')
      .where('id', '=', id)
      .set({ status: 'expired' })
      .execute();
  if (command.do === 'earn') {
    const { cents } = command;
    const about = {
      kind: 'commission',
      externalId: randomUUID(),
      organizationId: id,
      occurredAt: test.clock.now(),
    } as const;
    await scope.transaction((tx) => post(tx, { ...about, entries: { commission: -cents, available: cents } }));
  }
};

const readKept = async (partnerId: number) =>
  partnerScope(test, partnerId)
    .from('performanceTotals')
    .where('trials', '>', 0)
    .orderBy('product')
    .orderBy('utmMedium')
    .select(['product', 'utmMedium', 'trials', 'qualified', 'installed', 'tenthChat', 'paid', 'earnedCents'])
    .execute();

/** From the licenses and the book, with no sum between. */
const countAgain = async (partnerId: number) => {
  const found = await sql`
    select l.product, l.utm_medium as "utmMedium", count(*) as trials, count(l.qualified_at) as qualified,
      count(l.installed_at) as installed, count(l.tenth_chat_at) as "tenthChat", count(l.converted_at) as paid,
      coalesce(-sum(b.cents), 0)::bigint as "earnedCents"
    from referred_licenses l
    left join lateral (
      select sum(e.amount_cents) as cents from ledger_transactions t
      join ledger_entries e on e.partner_id = t.partner_id and e.transaction_id = t.id and e.account = 'commission'
      where t.partner_id = ${partnerId} and t.organization_id = l.organization_id) b on true
    where l.partner_id = ${partnerId} and l.program = 'affiliate'
    group by 1, 2 order by 1, 2`.execute(partnerScope(test, partnerId).db);
  return found.rows;
};

it('totals are what the licenses and the book make, whatever happens at once', async () => {
  const anySteps = fc.array(fc.array(anyCommand, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
  const property = fc.asyncProperty(anySteps, async (steps) => {
    for (const commands of steps) {
      test.clock.advance(1000);
      await Promise.all(commands.map((command) => (command.do === 'begin' ? begin(command) : change(command))));
    }
    for (const { id } of partners) expect(await readKept(id)).toEqual(await countAgain(id));
  });
  await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true });
  expect(licenses.length).toBeGreaterThan(ROUNDS);
  const [{ id }] = partners as [{ id: number }];
  await partnerScope(test, id).remove('referredLicenses').execute();
  expect(await readKept(id)).toEqual([]);
});
