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
  /** The standard input, for commands that take something there. */
  input?: AsyncIterable<Uint8Array>;
}

/** It was not done, in words; the program that called it reads the code. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: number;
  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command was not understood; the message says what would be. */
export class UsageError extends Error {
  override name = 'UsageError';
}
