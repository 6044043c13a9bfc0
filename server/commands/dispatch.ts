import { StartError } from '../storage/start-error.ts';
import { type Command, CommandError, type Terminal, UsageError } from './command.ts';
import { commands } from './index.ts';

const USAGE = 'npm run parley -- <command> <subcommand> [options]';

const overview = (): string => {
  const lines = Object.entries(commands).flatMap(([area, subcommands]) =>
    Object.entries(subcommands).map(([name, { summary }]) => `  ${`${area} ${name}`.padEnd(20)}  ${summary}`),
  );
  return [
    `Usage: ${USAGE}`,
    '',
    'Commands:',
    ...lines,
    `${'help'.padEnd(20)}  Show this help; add --help to a command to see its options`,
    '',
    'Reads the same settings as the server: DATA_DIR or DATABASE_URL.',
  ].join('\n');
};

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h' || word === 'help';

const find = async (area: string, name: string | undefined): Promise<Command> => {
  const subcommands = Object.hasOwn(commands, area) ? commands[area]! : undefined;
  if (!subcommands) throw new UsageError(`Unknown command "${area}". Available: ${Object.keys(commands).join(', ')}`);
  const entry = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  const available = Object.keys(subcommands).join(', ');
  if (!entry)
    throw new UsageError(
      name === undefined
        ? `Missing subcommand. Available: ${available}`
        : `Unknown subcommand "${area} ${name}". Available: ${available}`,
    );
  return entry.load();
};

const dispatch = async (args: string[], terminal: Terminal): Promise<void> => {
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const [area, name, ...rest] = words;
  if (area === undefined || isHelp(area)) return terminal.print(overview());
  if (isHelp(name)) {
    if (!Object.hasOwn(commands, area)) await find(area, name);
    return terminal.print(overview());
  }
  const command = await find(area, name);
  // No option takes "--help" as its value.
  if (rest.includes('--help') || rest.includes('-h')) return terminal.print(command.help);
  await command.run(rest, terminal);
};

/** Runs a command line and returns its exit code: 2 for invalid arguments, 1 for other errors. */
export const runCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  try {
    await dispatch(args, terminal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.reportProgress(error.message);
      terminal.reportProgress(
        `See: npm run parley -- ${[...args.slice(0, 2).filter((word) => !word.startsWith('-')), '--help'].join(' ')}`,
      );
      return 2;
    }
    if (error instanceof CommandError) {
      terminal.reportProgress(error.message);
      return error.exitCode;
    }
    terminal.reportProgress(error instanceof StartError ? error.message : ((error as Error).stack ?? String(error)));
    return 1;
  }
};
