import { type Month, nextMonth } from '../ledger/months.ts';
import type { SealedStatement } from './statement-file.ts';
import {
  ACCOUNTS,
  addUp,
  type Cents,
  hashStatement,
  isWithin,
  NO_HASH,
  readStatement,
  type Statement,
  StatementError,
  ZERO_BALANCES,
} from './statement-text.ts';

export interface VerifiedChain {
  /** Descriptions of all differences; empty if everything agrees. */
  problems: string[];
  statements: Statement[];
  /** The balances after the last statement. */
  closing: Cents;
}

const areEqual = (one: Cents, other: Cents): boolean => ACCOUNTS.every((name) => one[name] === other[name]);

const nameOf = (month: Month): string => month.slice(0, 7);

/** Checks one statement. */
const problemsWithin = ({ month, opening, lines, closing }: Statement): string[] => {
  const problems: string[] = [];
  for (const { id, entries, recordedAt } of lines) {
    const cents = Object.values(entries);
    const sum = cents.reduce((total, one) => total + one, 0);
    if (cents.length < 2 || sum !== 0) problems.push(`transaction ${id} sums to ${sum}`);
    if (!isWithin(month, recordedAt)) problems.push(`transaction ${id} belongs to another month`);
  }
  if (new Set(lines.map(({ id }) => id)).size < lines.length) problems.push('a transaction occurs twice');
  if (!areEqual(addUp(opening, lines), closing))
    problems.push('the closing balances are not the opening balances plus the transactions');
  return problems;
};

interface Link extends SealedStatement {
  statement: Statement;
}

/** Checks a statement against the previous one. */
const problemsBetween = (before: Link | undefined, { statement, content, previousHash, hash }: Link): string[] => {
  const problems: string[] = [];
  if (before && nextMonth(before.statement.month) !== statement.month)
    problems.push(`the previous statement is of ${nameOf(before.statement.month)}, not of the month before`);
  if (before && before.statement.partnerId !== statement.partnerId)
    problems.push('the statement belongs to another partner');
  if (!previousHash.equals(before?.hash ?? NO_HASH))
    problems.push(before ? 'the hash of the previous statement does not match' : 'earlier statements are missing');
  if (!areEqual(statement.opening, before?.statement.closing ?? ZERO_BALANCES))
    problems.push('the opening balances differ from the closing balances of the previous statement');
  if (!hash.equals(hashStatement(previousHash, content))) problems.push('the hash does not match the content');
  return problems;
};

/** Verifies a chain of statements in any order, without the ledger. */
export const verifyChain = (sealed: readonly (SealedStatement & { name: string })[]): VerifiedChain => {
  const problems: string[] = [];
  const links: Link[] = [];
  for (const { name, ...one } of sealed)
    try {
      links.push({ ...one, statement: readStatement(one.content) });
    } catch (error) {
      if (!(error instanceof StatementError)) throw error;
      problems.push(`${name}: ${error.message}`);
    }
  links.sort((one, other) => (one.statement.month < other.statement.month ? -1 : 1));
  for (const [at, link] of links.entries())
    for (const problem of [...problemsBetween(links[at - 1], link), ...problemsWithin(link.statement)])
      problems.push(`${nameOf(link.statement.month)}: ${problem}`);
  return {
    problems,
    statements: links.map(({ statement }) => statement),
    closing: links.at(-1)?.statement.closing ?? ZERO_BALANCES,
  };
};
