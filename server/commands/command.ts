/** A command of the command-line interface. */
export interface Command {
  /** Printed by `--help`. */
  help: string;
  run(args: string[], terminal: Terminal): Promise<void>;
}

export interface Terminal {
  env: Record<string, string | undefined>;
  /** The directory of the user; npm itself runs in the checkout. */
  cwd: string;
  /** Writes the result to standard output. */
  print(text: string): void;
  /** Writes progress messages and errors to standard error. */
  reportProgress(line: string): void;
  /** Standard input, for commands that read it. */
  input?: AsyncIterable<Uint8Array>;
}

/** The command failed. The exit code is for scripts, the message for people. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: number;
  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The arguments are invalid. The message says what is allowed. */
export class UsageError extends Error {
  override name = 'UsageError';
}
