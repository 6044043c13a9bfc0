import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeStatementFile } from '#server/domain/partners/statements/statement-file.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { earn, partnerScope } from '#server/testing/builders/ledger.ts';
import { runCommand } from './dispatch.ts';

const MONTH_MS = 31 * 24 * 3600 * 1000;

const test = useTestApp();
let partner: { id: number };
let other: { id: number };
let folder: string;

beforeAll(async () => {
  partner = await buildPartner(test);
  other = await buildPartner(test);
  for (const cents of [980, 1960]) {
    await earn(test, partner, cents);
    await earn(test, other, 100);
    test.clock.advance(MONTH_MS);
  }
  await test.context.background.scheduler.run('close-statements');
  await earn(test, partner, 5000);
  folder = mkdtempSync(path.join(tmpdir(), 'parley-statements-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const verify = async (...args: string[]) => {
  const { host, port, user, password, database } = test.connection;
  const login = password ? `${user}:${String(password)}` : user;
  const env = { DATABASE_URL: `postgres://${login}@/${database}?host=${encodeURIComponent(host!)}&port=${port}` };
  const printed: string[] = [];
  const messages: string[] = [];
  const terminal = {
    env,
    cwd: folder,
    print: (text: string) => void printed.push(text),
    reportProgress: (line: string) => void messages.push(line),
  };
  const code = await runCommand(['ledger', 'verify', ...args], terminal);
  return { code, printed, messages };
};

/** Bypasses the database triggers, like an attacker with database access. */
const tamper = async (text: string, values: unknown[] = []) => {
  const client = new pg.Client(test.connection);
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(text, values);
  await client.end();
};

const writeFiles = async (): Promise<string[]> => {
  const rows = await partnerScope(test, partner.id).from('statements').orderBy('month').selectAll().execute();
  return rows.map((row) => {
    const name = `${row.month.slice(0, 7)}.txt`;
    writeFileSync(path.join(folder, name), writeStatementFile(row));
    return name;
  });
};

it('reports no differences for consistent ledgers', async () => {
  expect(await verify()).toEqual({
    code: 0,
    printed: ['Verified: 2 partners, 5 transactions, 4 statements.'],
    messages: [],
  });
  expect(await verify('--partner', String(partner.id))).toMatchObject({
    code: 0,
    printed: [
      `Partner ${partner.id} has available 79.40, commission -79.40.`,
      'Verified: 1 partner, 3 transactions, 2 statements.',
    ],
  });
});

it('recomputes a balance from downloaded statements only', async () => {
  const names = await writeFiles();
  expect(await verify('--files', '.')).toEqual({
    code: 0,
    printed: [
      `Partner ${partner.id}: 2 statements until ${names[1]!.slice(0, 7)}, closing with available 29.40, commission -29.40.`,
    ],
    messages: [],
  });
  rmSync(path.join(folder, names[0]!));
  expect(await verify('--files', folder)).toMatchObject({ code: 1, messages: ['2 differences found'] });
  writeFileSync(path.join(folder, names[0]!), 'Dear partner, we owe you nothing.');
  expect((await verify('--files', folder)).printed).toContain(`${names[0]}: the hashes are missing`);
});

it('reports manipulated rows', async () => {
  const before = await partnerScope(test, partner.id)
    .from('ledgerEntries')
    .orderBy('transactionId')
    .selectAll()
    .execute();
  const [{ transactionId, line, amountCents }] = before as [(typeof before)[0]];
  const set = (cents: number) =>
    tamper('update ledger_entries set amount_cents = $4 where partner_id = $1 and transaction_id = $2 and line = $3', [
      ...[partner.id, transactionId, line, cents],
    ]);
  await set(amountCents + 1);
  const { code, printed, messages } = await verify();
  expect(code).toBe(1);
  expect(messages.at(-1)).toMatch(/^\d+ differences found$/);
  expect(printed).toContain(`Partner ${partner.id}: transaction ${transactionId} does not sum to zero`);
  expect(printed.join('\n')).toMatch(/the statement of \d{4}-\d{2} differs from the ledger/);
  expect(printed.join('\n')).toMatch(/the sum of the day/);
  expect((await verify('--partner', String(other.id))).code).toBe(0);
  await set(amountCents);
  await tamper(
    `update statements set content = replace(content, 'available=980', 'available=981') where partner_id = $1`,
    [partner.id],
  );
  const forged = await verify('--partner', String(partner.id));
  expect(forged.code).toBe(1);
  expect(forged.printed.join('\n')).toMatch(/the hash does not match the content/);
  await tamper(
    `update statements set content = replace(content, 'available=981', 'available=980') where partner_id = $1`,
    [partner.id],
  );
  for (const [table, message] of [
    ['ledger_days', /the sum of the day available /],
    ['ledger_totals', /available is \d+, but statements and open month sum to 7940/],
  ] as const) {
    await tamper(`update ${table} set amount_cents = amount_cents + 1 where partner_id = $1`, [partner.id]);
    const sums = await verify('--partner', String(partner.id));
    expect(sums.printed.join('\n')).toMatch(message);
    await tamper(`update ${table} set amount_cents = amount_cents - 1 where partner_id = $1`, [partner.id]);
  }
  const made = `insert into performance_totals values ($1, 'mainchat', 0, '', '', '', '', 1, 0, 0, 0, 0, 5)`;
  await tamper(made, [partner.id]);
  const { printed: totals } = await verify('--partner', String(partner.id));
  expect(totals.join('\n')).toMatch(/the sum of the campaign mainchat 0 .*is 5, but entries sum to 0/);
  await tamper('delete from performance_totals where partner_id = $1', [partner.id]);
  expect((await verify()).code).toBe(0);
});

it('rejects invalid arguments', async () => {
  const empty = path.join(folder, 'empty');
  mkdirSync(empty);
  for (const args of [
    ['--color', 'red'],
    ['--partner', '999999'],
    ['--partner', 'x'],
    ['--files', '/no/such/folder'],
    ['--files', empty],
    ['--files', folder, '--partner', '1'],
  ])
    expect(await verify(...args)).toMatchObject({ code: 2 });
});
