import type { Client } from 'pg';
import { addToSums } from '#server/domain/partners/ledger/sums.ts';
import { countPerformance } from '#server/projections/partner-performance.ts';
import { BOOK, CLICK_SUMS, CLICKS, DIFFERENCES, LICENSES, PARTNERS, POSTINGS, WORLD } from './partner-rows.ts';

export interface ProgramSize {
  partners: number;
  clicks: number;
  licenses: number;
  payments: number;
  /** Only the two measured partners and their data. */
  alone: boolean;
  say(line: string): void;
}

const CLICKS_PER_STEP = 100_000;
const POSTINGS_PER_STEP = 20_000;

const settings = ['set synchronous_commit = off', `set work_mem = '256MB'`, `set maintenance_work_mem = '1GB'`];

/** Foreign keys hold by construction. */
const WITHOUT_TRIGGERS = 'set session_replication_role = replica';

const inSteps = async (
  total: number,
  size: number,
  write: (from: number, to: number) => Promise<void>,
  say: (done: number) => void,
): Promise<void> => {
  for (let from = 1; from <= total; from += size) {
    const to = Math.min(from + size - 1, total);
    await write(from, to);
    say(to);
  }
};

const writeBook = async (client: Client, from: number, to: number): Promise<void> => {
  await client.query('begin');
  for (const text of BOOK) await client.query(text, [from, to]);
  await client.query('commit');
};

/** Seeds the data of several years. The two measured partners already exist. */
export const seedProgram = async (client: Client, program: ProgramSize): Promise<void> => {
  const { partners, clicks, licenses, payments, alone, say } = program;
  const started = performance.now();
  const took = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  for (const text of [...settings, WITHOUT_TRIGGERS]) await client.query(text);
  await client.query(WORLD, [partners, clicks, licenses, payments, new Date(), alone]);
  for (const text of PARTNERS) await client.query(text);
  const writeClicks = async (from: number, to: number) => void (await client.query(CLICKS, [from, to]));
  await inSteps(clicks, CLICKS_PER_STEP, writeClicks, (n) => say(`${n} of ${clicks} clicks after ${took()}`));
  for (const text of [...CLICK_SUMS, ...LICENSES]) await client.query(text);
  say(`${licenses} licenses after ${took()}`);
  for (const text of POSTINGS) await client.query(text);
  const { rows } = await client.query<{ postings: string }>('select count(*) as postings from postings');
  const postings = Number(rows[0]!.postings);
  await client.query('analyze campaigns, ledger_transactions');
  await inSteps(
    postings,
    POSTINGS_PER_STEP,
    (from, to) => writeBook(client, from, to),
    (n) => say(`${n} of ${postings} transactions after ${took()}`),
  );
  for (const text of [addToSums('true'), countPerformance('true')]) await client.query(text);
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  const { rows: counted } = await client.query<Record<string, string>>(DIFFERENCES);
  const { differences, ...counts } = counted[0]!;
  if (Number(differences) > 0) throw new Error(`${differences} sums differ from what was summed up`);
  say(`seeded in ${took()}: ${JSON.stringify(counts)}, and all sums are right`);
};
