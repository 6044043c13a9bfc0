import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { systemClock } from '../domain/clock.ts';
import { receiveMail } from '../domain/support/tickets/mail/receive-mail.ts';
import { openDiskStore } from '../ports/files/disk.ts';
import { parseMail } from '../ports/mail-in/parse-mail.ts';
import { type Command, CommandFailure, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const help = `Usage: npm run --silent parley -- mail pipe [--from <address>] [--to <address>]... < message

Takes one mail from the standard input, for a mail server that passes mails to a program. The running server makes a ticket
of it within seconds; when none runs, the next one that starts does.

  --to <address>    who it is for, as the envelope says; may be repeated. Default: what its headers say
  --from <address>  the envelope's sender; empty for bounces. Default: its Return-Path

Exit codes are those of sendmail: 0 taken, 67 nobody here has that address, 75 try again later.`;

/** Exit codes from sysexits.h that mail servers understand. */
const NO_USER = 67;
const TRY_AGAIN = 75;
const TOO_LARGE = 69;
/** Enough for the headers, which may contain the recipients. */
const HEAD_BYTES = 256 * 1024;

const readOptions = (args: string[]): { from: string | undefined; to: string[] } => {
  try {
    const { values } = parseArgs({
      args,
      options: { from: { type: 'string' }, to: { type: 'string', multiple: true } },
    });
    return { from: values.from, to: values.to ?? [] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

const readInput = async (input: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new CommandFailure(TOO_LARGE, 'The email is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const unbracket = (address: string): string => address.trim().replace(/^<|>$/g, '');

const take = async (
  { from, to }: { from: string | undefined; to: string[] },
  config: ReturnType<typeof readConfig>,
  { input, say }: { input: AsyncIterable<Uint8Array>; say(line: string): void },
): Promise<number> => {
  const raw = await readInput(input, config.mailInMaxBytes);
  const named = to.length > 0 && from !== undefined ? undefined : await parseMail(raw.subarray(0, HEAD_BYTES));
  const envelopeFrom = from ?? unbracket(named?.headers['return-path'] ?? named?.from?.address ?? '');
  const recipients = to.length > 0 ? to : (named?.to.map(unbracket) ?? []);
  return withDatabase(config, say, async ({ kysely: db }) => {
    const store = await openDiskStore(path.join(config.dataDir, 'files'));
    const intake = { db, store, clock: systemClock, mailDomain: config.mailInDomain, maxBytes: config.mailInMaxBytes };
    return receiveMail(intake, { raw, envelopeFrom, recipients });
  });
};

export const mailPipe: Command = {
  help,
  run: async (args, { env, input, say }) => {
    const options = readOptions(args);
    if (!input) throw new UsageError('Expected an email on standard input');
    const config = readConfig(env);
    let taken: number;
    try {
      taken = await take(options, config, { input, say });
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      // Exit code 75 makes the mail server keep the email and retry.
      throw new CommandFailure(TRY_AGAIN, (error as Error).message, { cause: error });
    }
    if (taken === 0) throw new CommandFailure(NO_USER, 'Unknown recipient');
  },
};
