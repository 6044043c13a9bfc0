import type { Client } from 'pg';
import { addToSums } from '#server/domain/partners/ledger/sums.ts';
import { countPerformance } from '#server/projections/partner-performance.ts';
import {
  CLICK_ROLLUPS,
  CLICKS,
  DIFFERENCES,
  LEDGER_ROWS,
  LICENSES,
  PARAMETERS,
  PARTNERS,
  POSTINGS,
} from './partner-rows.ts';

export interface ProgramSize {
  partners: number;
  clicks: number;
  licenses: number;
  payments: number;
  /** Only the two measured partners and their data. */
  isolated: boolean;
  log(line: string): void;
}

const CLICKS_PER_BATCH = 100_000;
const POSTINGS_PER_BATCH = 20_000;

const settings = ['set synchronous_commit = off', `set work_mem = '256MB'`, `set maintenance_work_mem = '1GB'`];

/** Skips triggers and foreign key checks; references are valid by construction. */
const WITHOUT_TRIGGERS = 'set session_replication_role = replica';

const inBatches = async (
  total: number,
  size: number,
  write: (from: number, to: number) => Promise<void>,
  log: (done: number) => void,
): Promise<void> => {
  for (let from = 1; from <= total; from += size) {
    const to = Math.min(from + size - 1, total);
    await write(from, to);
    log(to);
  }
};

const writeLedger = async (client: Client, from: number, to: number): Promise<void> => {
  await client.query('begin');
  for (const text of LEDGER_ROWS) await client.query(text, [from, to]);
  await client.query('commit');
};

/** Seeds the data of several years. The two measured partners already exist. */
export const seedProgram = async (client: Client, program: ProgramSize): Promise<void> => {
  const { partners, clicks, licenses, payments, isolated, log } = program;
  const started = performance.now();
  const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  for (const text of [...settings, WITHOUT_TRIGGERS]) await client.query(text);
  await client.query(PARAMETERS, [partners, clicks, licenses, payments, new Date(), isolated]);
  for (const text of PARTNERS) await client.query(text);
  const writeClicks = async (from: number, to: number) => void (await client.query(CLICKS, [from, to]));
  await inBatches(clicks, CLICKS_PER_BATCH, writeClicks, (n) => log(`${n} of ${clicks} clicks after ${elapsed()}`));
  for (const text of [...CLICK_ROLLUPS, ...LICENSES]) await client.query(text);
  log(`${licenses} licenses after ${elapsed()}`);
  for (const text of POSTINGS) await client.query(text);
  const { rows } = await client.query<{ postings: string }>('select count(*) as postings from postings');
  const postings = Number(rows[0]!.postings);
  await client.query('analyze campaigns, ledger_transactions');
  await inBatches(
    postings,
    POSTINGS_PER_BATCH,
    (from, to) => writeLedger(client, from, to),
    (n) => log(`${n} of ${postings} transactions after ${elapsed()}`),
  );
  for (const text of [addToSums('true'), countPerformance('true')]) await client.query(text);
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  const { rows: counted } = await client.query<Record<string, string>>(DIFFERENCES);
  const { differences, ...counts } = counted[0]!;
  if (Number(differences) > 0) throw new Error(`${differences} rollups differ from their sources`);
  log(`seeded in ${elapsed()}: ${JSON.stringify(counts)}, all rollups verified`);
};
