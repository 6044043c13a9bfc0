import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { type Keeper, rebuildFacts } from '../domain/support/reports/keep-facts.ts';
import type { Database } from '../storage/database.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization } from './find-organization.ts';
import { withDatabase } from './with-database.ts';

const help = `Usage: npm run parley -- reports rebuild [--organization <id or name>]

Recomputes the data of all reports from the stored chats. The server can keep running; its reports are incomplete until
the command has finished.

  --organization <id or name>   recomputes one organization; default: all`;

const readOptions = (args: string[]): { organization?: string | undefined } => {
  try {
    return parseArgs({ args, options: { organization: { type: 'string' } } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
};

const keeperOf = (database: Database, organizationId: string): Keeper => ({
  organizationId,
  executor: database,
  transaction: (work) => database.transaction((executor) => work({ executor })),
});

const listOrganizations = ({ kysely }: Database) =>
  kysely.selectFrom('organizations').orderBy('licenseNumber').select(['id', 'name']).execute();

export const reportsRebuild: Command = {
  help,
  run: async (args, { env, print, reportProgress }) => {
    const { organization } = readOptions(args);
    const count = await withDatabase(readConfig(env), reportProgress, async (database) => {
      const some =
        organization === undefined
          ? await listOrganizations(database)
          : [await findOrganization(database.kysely, organization)];
      for (const { id, name } of some)
        await rebuildFacts(keeperOf(database, id), (waiting) =>
          reportProgress(`${name}: ${waiting} ${waiting === 1 ? 'chat' : 'chats'} left`),
        );
      return some.length;
    });
    print(`Recomputed the reports of ${count} ${count === 1 ? 'organization' : 'organizations'}`);
  },
};
