import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { systemClock } from '../domain/clock.ts';
import { receiveMail } from '../domain/support/tickets/mail/receive-mail.ts';
import { openDiskStore } from '../ports/files/disk.ts';
import { parseMail } from '../ports/mail-in/parse-mail.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const help = `Usage: npm run --silent parley -- mail pipe [--from <address>] [--to <address>]... < message

Reads one email from standard input, for mail servers that deliver to a program. The running server creates a ticket from
it within seconds; if no server is running, the next one that starts does.

  --to <address>    envelope recipient; can be repeated. Default: the recipients in the headers
  --from <address>  envelope sender; empty for bounces. Default: the Return-Path header

Exit codes are those of sendmail: 0 accepted, 67 unknown recipient, 69 too large, 75 try again later.`;

/** Exit codes from sysexits.h that mail servers understand. */
const EX_NOUSER = 67;
const EX_TEMPFAIL = 75;
const EX_UNAVAILABLE = 69;
/** Enough for the headers, which may contain the recipients. */
const HEADER_BYTES = 256 * 1024;

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
    if (size > maxBytes) throw new CommandError(EX_UNAVAILABLE, 'The email is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const unbracket = (address: string): string => address.trim().replace(/^<|>$/g, '');

const receive = async (
  { from, to }: { from: string | undefined; to: string[] },
  config: ReturnType<typeof readConfig>,
  { input, reportProgress }: { input: AsyncIterable<Uint8Array>; reportProgress(line: string): void },
): Promise<number> => {
  const raw = await readInput(input, config.mailInMaxBytes);
  const named = to.length > 0 && from !== undefined ? undefined : await parseMail(raw.subarray(0, HEADER_BYTES));
  const envelopeFrom = from ?? unbracket(named?.headers['return-path'] ?? named?.from?.address ?? '');
  const recipients = to.length > 0 ? to : (named?.to.map(unbracket) ?? []);
  return withDatabase(config, reportProgress, async ({ kysely: db }) => {
    const store = await openDiskStore(path.join(config.dataDir, 'files'));
    const intake = { db, store, clock: systemClock, mailDomain: config.mailInDomain, maxBytes: config.mailInMaxBytes };
    return receiveMail(intake, { raw, envelopeFrom, recipients });
  });
};

export const mailPipe: Command = {
  help,
  run: async (args, { env, input, reportProgress }) => {
    const options = readOptions(args);
    if (!input) throw new UsageError('Expected an email on standard input');
    const config = readConfig(env);
    let accepted: number;
    try {
      accepted = await receive(options, config, { input, reportProgress });
    } catch (error) {
      if (error instanceof CommandError) throw error;
      // Exit code 75 makes the mail server keep the email and retry.
      throw new CommandError(EX_TEMPFAIL, (error as Error).message, { cause: error });
    }
    if (accepted === 0) throw new CommandError(EX_NOUSER, 'Unknown recipient');
  },
};
