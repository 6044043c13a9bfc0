import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { projections } from '../projections/index.ts';
import { checkProjection, rebuildProjection } from '../projections/maintain.ts';
import type { Projection } from '../projections/projection.ts';
import type { Database } from '../storage/database.ts';
import { type Command, CommandError, type Terminal, UsageError } from './command.ts';
import { findOrganization } from './find-organization.ts';
import { withDatabase } from './with-database.ts';

const NAMES = Object.keys(projections);
/** Enough to find the cause. */
const MAX_KEYS_SHOWN = 20;

interface Options {
  chosen: Projection[];
  organization?: string | undefined;
}

const helpOf = (
  command: string,
  text: string,
): string => `Usage: npm run parley -- projections ${command} [<name>] [--organization <id or name>]

${text}
The server may be running.

  <name>                        one of ${NAMES.join(', ')}; all of them without it
  --organization <id or name>   only the rows of this organization`;

const readOptions = (args: string[]): Options => {
  let parsed: { values: { organization?: string | undefined }; positionals: string[] };
  try {
    parsed = parseArgs({ args, options: { organization: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  const { values, positionals } = parsed;
  const all: Projection[] = Object.values(projections);
  const [name = 'all', ...others] = positionals;
  const chosen = name === 'all' ? all : all.filter((projection) => projection.name === name);
  if (chosen.length === 0 || others.length > 0)
    throw new UsageError(`Unknown projection. Available: all, ${NAMES.join(', ')}`);
  return { chosen, ...values };
};

/** Runs for every owner. Projections of partners have no rows of organizations and vice versa. */
const forEachOwner = async (
  { chosen, organization }: Options,
  { kysely }: Database,
  work: (projection: Projection, ownerId: string) => Promise<void>,
): Promise<void> => {
  const only = organization === undefined ? undefined : await findOrganization(kysely, organization);
  const organizations = only ? [only] : await kysely.selectFrom('organizations').orderBy('id').select('id').execute();
  const partners = only ? [] : await kysely.selectFrom('partners').orderBy('id').select('id').execute();
  for (const projection of chosen)
    for (const { id } of projection.owner === 'organization' ? organizations : partners)
      await work(projection, String(id));
};

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const run = (
  args: string[],
  { env, reportProgress }: Terminal,
  work: (options: Options, database: Database) => Promise<void>,
) => {
  const options = readOptions(args);
  return withDatabase(readConfig(env), reportProgress, (database) => work(options, database));
};

export const projectionsRebuild: Command = {
  help: helpOf('rebuild', 'Recomputes derived tables from their source tables.'),
  run: (args, terminal) =>
    run(args, terminal, async (options, database) => {
      let rebuilt = 0;
      await forEachOwner(options, database, async (projection, ownerId) => {
        await rebuildProjection(database, projection, ownerId);
        rebuilt++;
      });
      terminal.print(`Rebuilt ${count(options.chosen.length, 'projection')} (${count(rebuilt, 'owner')}).`);
    }),
};

export const projectionsCheck: Command = {
  help: helpOf(
    'check',
    'Recomputes derived tables and compares them with what is stored, without changing anything. Prints the keys that differ\nand exits with code 1 when there are any.',
  ),
  run: (args, terminal) =>
    run(args, terminal, async (options, database) => {
      let differing = 0;
      await forEachOwner(options, database, async (projection, ownerId) => {
        const keys = await checkProjection(database, projection, ownerId);
        differing += keys.length;
        const more = keys.length > MAX_KEYS_SHOWN ? ` and ${keys.length - MAX_KEYS_SHOWN} more` : '';
        if (keys.length > 0)
          terminal.print(`${projection.name} of ${ownerId}: ${keys.slice(0, MAX_KEYS_SHOWN).join(', ')}${more}`);
      });
      if (differing > 0) throw new CommandError(1, `${count(differing, 'key')} differ from their sources.`);
      terminal.print(`Checked ${count(options.chosen.length, 'projection')}: no difference.`);
    }),
};
