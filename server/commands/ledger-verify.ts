import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { readStatementFile, type SealedStatement } from '../domain/partners/statements/statement-file.ts';
import { ACCOUNTS, type Cents, StatementError } from '../domain/partners/statements/statement-text.ts';
import { verifyChain } from '../domain/partners/statements/verify-chain.ts';
import { type VerifiedLedger, verifyLedger } from '../domain/partners/statements/verify-ledger.ts';
import { createProjectionWorker } from '../projections/worker.ts';
import type { Database } from '../storage/database.ts';
import { ownedRows } from '../storage/scope.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const help = `Usage: npm run parley -- ledger verify [--partner <id>]
       npm run parley -- ledger verify --files <folder>

Recomputes the partner ledger. Every transaction must sum to zero, stored totals must equal the entries, each monthly
statement must match the ledger and the hash of the previous statement, and the statements together with the open month
must add up to the balances. Prints all differences and exits with code 1 if there are any.

  --partner <id>     verifies one partner; default: all
  --files <folder>   verifies statements that a partner downloaded; needs no database and no server`;

const readOptions = (args: string[]): { partner?: string | undefined; files?: string | undefined } => {
  try {
    return parseArgs({ args, options: { partner: { type: 'string' }, files: { type: 'string' } } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
};

const writeCents = (cents: number): string => (cents / 100).toFixed(2);

const writeBalances = (balances: Cents): string =>
  ACCOUNTS.filter((account) => balances[account] !== 0)
    .map((account) => `${account} ${writeCents(balances[account])}`)
    .join(', ') || 'nothing';

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

const printResult = (problems: number): void => {
  if (problems > 0) throw new CommandError(1, `${count(problems, 'difference')} found`);
};

const readSealed = (folder: string): { sealed: (SealedStatement & { name: string })[]; problems: string[] } => {
  const problems: string[] = [];
  const sealed = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      try {
        return [{ name, ...readStatementFile(readFileSync(path.join(folder, name), 'utf8')) }];
      } catch (error) {
        if (!(error instanceof StatementError)) throw error;
        problems.push(`${name}: ${error.message}`);
        return [];
      }
    });
  return { sealed, problems };
};

const openFolder = (folder: string) => {
  try {
    return readSealed(folder);
  } catch (error) {
    throw new UsageError(`Cannot read ${folder}: ${(error as Error).message}`, { cause: error });
  }
};

const verifyFiles = (folder: string, print: (text: string) => void): void => {
  const { sealed, problems: unread } = openFolder(folder);
  if (sealed.length + unread.length === 0) throw new UsageError(`No statements in ${folder}`);
  const { problems, statements, closing } = verifyChain(sealed);
  for (const problem of [...unread, ...problems]) print(problem);
  const last = statements.at(-1);
  if (last)
    print(
      `Partner ${last.partnerId}: ${count(statements.length, 'statement')} until ${last.month.slice(0, 7)}, closing with ${writeBalances(closing)}.`,
    );
  printResult(unread.length + problems.length);
};

const listPartners = async ({ kysely }: Database, only: string | undefined): Promise<number[]> => {
  if (only === undefined)
    return (await kysely.selectFrom('partners').orderBy('id').select('id').execute()).map(({ id }) => id);
  const found = /^\d{1,15}$/.test(only)
    ? await kysely.selectFrom('partners').where('id', '=', Number(only)).select('id').executeTakeFirst()
    : undefined;
  if (!found) throw new UsageError(`No partner "${only}"`);
  return [found.id];
};

/** One read-only snapshot. Queued changes of the totals are applied first. */
const verifyOne = async (database: Database, id: number): Promise<VerifiedLedger> => {
  await createProjectionWorker({ database, log: console }).applyPending(id, 'partner_performance');
  return database.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => verifyLedger(ownedRows(tx, 'partnerId', id), id));
};

export const ledgerVerify: Command = {
  help,
  run: async (args, { env, cwd, print, reportProgress }) => {
    const { partner, files } = readOptions(args);
    if (files !== undefined) {
      if (partner !== undefined)
        throw new UsageError('--files cannot be combined with --partner: the files name their partner');
      return verifyFiles(path.resolve(cwd, files), print);
    }
    let problems = 0;
    await withDatabase(readConfig(env), reportProgress, async (database) => {
      const ids = await listPartners(database, partner);
      let [statements, transactions] = [0, 0];
      for (const id of ids) {
        const ledger = await verifyOne(database, id);
        for (const problem of ledger.problems) print(`Partner ${id}: ${problem}`);
        problems += ledger.problems.length;
        statements += ledger.statements;
        transactions += ledger.transactions;
        if (partner !== undefined) print(`Partner ${id} has ${writeBalances(ledger.balances)}.`);
      }
      print(
        `Verified: ${count(ids.length, 'partner')}, ${count(transactions, 'transaction')}, ${count(statements, 'statement')}.`,
      );
    });
    printResult(problems);
  },
};
