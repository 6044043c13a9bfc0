import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { updateOrganization } from '#server/domain/accounts/licenses/update-organization.ts';
import { recordPayment } from '#server/domain/accounts/payments/record-payment.ts';
import { projections } from '#server/projections/index.ts';
import { checkProjection } from '#server/projections/maintain.ts';
import { setInstalled } from '#server/storage/platform-referrals.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { Program } from '#server/storage/tables/program.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { partnerScope } from '#server/testing/builders/ledger.ts';
import { openPlatformScope } from '../../scope.ts';
import { post } from '../ledger/post.ts';
import { addReferredLicense } from '../referrals/add-referred-license.ts';

const ROUNDS = 25;

const test = useTestApp();
let partners: { id: number }[];
beforeAll(async () => {
  partners = [await buildPartner(test), await buildPartner(test)];
});

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
  fc.record({ do: fc.constant('convert' as const), which: fc.nat(99) }),
  fc.record({ do: fc.constant('install' as const), which: fc.nat(99) }),
  fc.record({ do: fc.constant('earn' as const), which: fc.nat(99), cents: fc.integer({ min: -900, max: 900 }) }),
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
  const license = { organizationId: id, ...marks, status: 'trial', createdAt, ...reached(milestones) } as const;
  await partnerScope(test, partnerId).transaction((tx) => addReferredLicense(tx, license));
  licenses.push({ id, partnerId });
};

const change = async (command: Exclude<Command, { do: 'begin' }>): Promise<void> => {
  const license = licenses[command.which % licenses.length];
  if (!license) return;
  const { id, partnerId } = license;
  const scope = partnerScope(test, partnerId);
  const platform = openPlatformScope(test.context.services, { kind: 'system' });
  if (command.do === 'install') await setInstalled(test.context.database, id, test.clock.now());
  if (command.do === 'convert')
    await platform.transaction((tx) =>
      recordPayment(tx, {
        ...{ organizationId: id, externalId: randomUUID(), source: 'operator', product: 'mainchat' },
        ...{ amountCents: 100, currency: 'USD' },
      }),
    );
  if (command.do === 'status') await updateOrganization(platform, { id, status: 'expired' });
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

const readTotals = async (partnerId: number) => {
  await test.context.services.projections.applyPending(partnerId, 'partner_performance');
  return partnerScope(test, partnerId)
    .from('performanceTotals')
    .where('trials', '>', 0)
    .orderBy('product')
    .orderBy('utmMedium')
    .select(['product', 'utmMedium', 'trials', 'qualified', 'installed', 'tenthChat', 'paid', 'earnedCents'])
    .execute();
};

/** Computed from the licenses and ledger entries without stored sums. */
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

it('performance totals equal what the licenses and the ledger add up to after concurrent changes', async () => {
  const anySteps = fc.array(fc.array(anyCommand, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
  const property = fc.asyncProperty(anySteps, async (steps) => {
    for (const commands of steps) {
      test.clock.advance(1000);
      await Promise.all(commands.map((command) => (command.do === 'begin' ? begin(command) : change(command))));
    }
    for (const { id } of partners) expect(await readTotals(id)).toEqual(await countAgain(id));
  });
  await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true });
  expect(licenses.length).toBeGreaterThan(ROUNDS);
  for (const projection of [projections.ledger_sums, projections.partner_performance])
    for (const { id } of partners)
      expect(await checkProjection(test.context.database, projection, String(id))).toEqual([]);
});
