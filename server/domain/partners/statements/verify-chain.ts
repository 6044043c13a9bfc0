import { type Month, nextMonth } from '../ledger/months.ts';
import type { SealedStatement } from './statement-file.ts';
import {
  ACCOUNTS,
  addUp,
  type Cents,
  hashStatement,
  isWithin,
  NO_HASH,
  NOTHING,
  readStatement,
  type Statement,
  StatementFault,
} from './statement-text.ts';

export interface VerifiedChain {
  /** Descriptions of all differences; empty if everything agrees. */
  faults: string[];
  statements: Statement[];
  /** The balances after the last statement. */
  closing: Cents;
}

const areEqual = (one: Cents, other: Cents): boolean => ACCOUNTS.every((name) => one[name] === other[name]);

const nameOf = (month: Month): string => month.slice(0, 7);

/** Checks one statement. */
const faultsWithin = ({ month, opening, lines, closing }: Statement): string[] => {
  const faults: string[] = [];
  for (const { id, entries, recordedAt } of lines) {
    const cents = Object.values(entries);
    const sum = cents.reduce((total, one) => total + one, 0);
    if (cents.length < 2 || sum !== 0) faults.push(`transaction ${id} sums to ${sum}`);
    if (!isWithin(month, recordedAt)) faults.push(`transaction ${id} is of another month`);
  }
  if (new Set(lines.map(({ id }) => id)).size < lines.length) faults.push('a transaction is there twice');
  if (!areEqual(addUp(opening, lines), closing)) faults.push('its closing balances are not the sum of what it tells');
  return faults;
};

interface Link extends SealedStatement {
  statement: Statement;
}

/** Checks a statement against the previous one. */
const faultsBetween = (before: Link | undefined, { statement, content, previousHash, hash }: Link): string[] => {
  const faults: string[] = [];
  if (before && nextMonth(before.statement.month) !== statement.month)
    faults.push(`it does not follow ${nameOf(before.statement.month)}`);
  if (before && before.statement.partnerId !== statement.partnerId) faults.push('it is another partner’s');
  if (!previousHash.equals(before?.hash ?? NO_HASH))
    faults.push(
      before ? 'the chain is broken before it' : 'it is not the first of its ledger: earlier ones are missing',
    );
  if (!areEqual(statement.opening, before?.statement.closing ?? NOTHING))
    faults.push('its opening balances are not those that the one before closed with');
  if (!hash.equals(hashStatement(previousHash, content))) faults.push('its hash does not fit its content');
  return faults;
};

/** Verifies a chain of statements in any order, without the ledger. */
export const verifyChain = (sealed: readonly (SealedStatement & { name: string })[]): VerifiedChain => {
  const faults: string[] = [];
  const links: Link[] = [];
  for (const { name, ...one } of sealed)
    try {
      links.push({ ...one, statement: readStatement(one.content) });
    } catch (error) {
      if (!(error instanceof StatementFault)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  links.sort((one, other) => (one.statement.month < other.statement.month ? -1 : 1));
  for (const [at, link] of links.entries())
    for (const fault of [...faultsBetween(links[at - 1], link), ...faultsWithin(link.statement)])
      faults.push(`${nameOf(link.statement.month)}: ${fault}`);
  return {
    faults,
    statements: links.map(({ statement }) => statement),
    closing: links.at(-1)?.statement.closing ?? NOTHING,
  };
};
