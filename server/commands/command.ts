/** Something an operator can ask for at the command line. */
export interface Command {
  /** What `--help` prints. */
  help: string;
  run(args: string[], terminal: Terminal): Promise<void>;
}

export interface Terminal {
  env: Record<string, string | undefined>;
  /** Where the person is: npm itself works in the checkout. */
  cwd: string;
  /** The answer, on the standard output. */
  print(text: string): void;
  /** What is going on, for the person who waits. */
  say(line: string): void;
}

/** The command was not understood; the message says what would be. */
export class UsageError extends Error {
  override name = 'UsageError';
}
