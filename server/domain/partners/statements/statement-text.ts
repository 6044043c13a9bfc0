import { createHash } from 'node:crypto';
import type { Account } from '#server/storage/tables/ledger.ts';
import { endOfMonth, type Month, startOfMonth } from '../ledger/months.ts';

/** The partner's own accounts first, then those of the program. */
export const ACCOUNTS: readonly Account[] = [
  'available',
  'held',
  'pending',
  'withdrawn',
  'saved',
  'commission',
  'discount',
];

export type Cents = Record<Account, number>;
export const ZERO_BALANCES: Cents = {
  ...{ available: 0, held: 0, pending: 0, withdrawn: 0, saved: 0 },
  ...{ commission: 0, discount: 0 },
};

export interface StatementLine {
  id: number;
  recordedAt: Date;
  kind: string;
  /** Further details, each without spaces. */
  about: Record<string, string>;
  entries: Partial<Cents>;
}

/** One month of a partner's ledger. */
export interface Statement {
  partnerId: number;
  month: Month;
  opening: Cents;
  lines: StatementLine[];
  closing: Cents;
}

export const addUp = (opening: Cents, lines: readonly Pick<StatementLine, 'entries'>[]): Cents => {
  const sums = { ...opening };
  for (const { entries } of lines) for (const account of ACCOUNTS) sums[account] += entries[account] ?? 0;
  return sums;
};

const TITLE = 'Statement 1';

const writeWords = (words: Record<string, string | number>): string =>
  Object.entries(words)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

const writeCents = (cents: Partial<Cents>): string =>
  writeWords(Object.fromEntries(ACCOUNTS.flatMap((name) => (cents[name] === undefined ? [] : [[name, cents[name]]]))));

/** The canonical text: the same ledger always gives the same bytes. */
export const writeStatement = ({ partnerId, month, opening, lines, closing }: Statement): string =>
  [
    TITLE,
    `partner ${partnerId}`,
    `month ${month.slice(0, 7)}`,
    `opening ${writeCents(opening)}`,
    ...lines.map(({ id, recordedAt, kind, about, entries }) =>
      [id, recordedAt.toISOString(), kind, writeWords(about), writeCents(entries)]
        .filter((part) => part !== '')
        .join(' '),
    ),
    `closing ${writeCents(closing)}`,
    '',
  ].join('\n');

/** The text is not a statement, or was changed. */
export class StatementError extends Error {
  override name = 'StatementFault';
}

const isAccount = (name: string): name is Account => (ACCOUNTS as readonly string[]).includes(name);

const readWords = (text: string): [string, string][] =>
  text.split(' ').map((word) => {
    const [, name, value] = /^(\w+)=(\S+)$/.exec(word) ?? [];
    if (name === undefined || value === undefined) throw new StatementError(`"${word}" must have the form name=value`);
    return [name, value];
  });

const readAmount = (value: string): number => {
  if (!/^-?\d{1,15}$/.test(value)) throw new StatementError(`"${value}" is not an amount in cents`);
  return Number(value);
};

const readBalances = (text: string | undefined, name: string): Cents => {
  const [, words] = new RegExp(`^${name} (.+)$`).exec(text ?? '') ?? [];
  if (words === undefined) throw new StatementError(`the ${name} balances are missing`);
  return {
    ...ZERO_BALANCES,
    ...Object.fromEntries(readWords(words).map(([account, value]) => [account, readAmount(value)])),
  };
};

const readLine = (text: string): StatementLine => {
  const [, id, recordedAt, kind, words] = /^(\d{1,15}) (\S+Z) (\w+) (.+)$/.exec(text) ?? [];
  if (id === undefined || words === undefined) throw new StatementError(`"${text}" is not a transaction`);
  const pairs = readWords(words);
  const own = pairs.filter(([name]) => isAccount(name));
  return {
    id: Number(id),
    recordedAt: new Date(recordedAt!),
    kind: kind!,
    about: Object.fromEntries(pairs.filter(([name]) => !isAccount(name))),
    entries: Object.fromEntries(own.map(([name, value]) => [name, readAmount(value)])),
  };
};

/** Parses a statement; throws unless writing it again gives the same text. */
export const readStatement = (content: string): Statement => {
  const [title, partner, month, opening, ...rest] = content.split('\n');
  const [, partnerId] = /^partner (\d{1,15})$/.exec(partner ?? '') ?? [];
  const [, name] = /^month (\d{4}-(?:0[1-9]|1[0-2]))$/.exec(month ?? '') ?? [];
  if (title !== TITLE || partnerId === undefined || name === undefined || rest.pop() !== '')
    throw new StatementError('the file is not a statement');
  const closing = readBalances(rest.pop(), 'closing');
  const statement = {
    partnerId: Number(partnerId),
    month: `${name}-01`,
    opening: readBalances(opening, 'opening'),
    lines: rest.map(readLine),
    closing,
  };
  if (writeStatement(statement) !== content)
    throw new StatementError('the file is not in the canonical statement format');
  return statement;
};

export const isWithin = (month: Month, at: Date): boolean => startOfMonth(month) <= at && at < endOfMonth(month);

const HASH_BYTES = 32;
/** The previous hash of the first statement. */
export const NO_HASH: Buffer = Buffer.alloc(HASH_BYTES);

/** Includes the hash of the previous statement, and so all earlier ones. */
export const hashStatement = (previousHash: Buffer, content: string): Buffer =>
  createHash('sha256').update(previousHash).update(content, 'utf8').digest();
