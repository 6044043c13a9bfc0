import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { listFailedMails, type MailScope, replayFailedMails } from '../domain/accounts/mails/failed-mails.ts';
import { DomainError } from '../domain/errors.ts';
import { createSecrets } from '../domain/secrets.ts';
import { loadInstallationSecrets } from '../installation-secrets.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const PAGE = 100;
const ALL_TIME = { from: new Date(0), to: new Date('3000-01-01') };

const run = <R>({ env, reportProgress }: Terminal, work: (scope: MailScope) => Promise<R>): Promise<R> => {
  const config = readConfig(env);
  return withDatabase(config, reportProgress, (executor) => {
    const secrets = createSecrets(loadInstallationSecrets(config).secretKey);
    return work({ actor: { kind: 'operator' }, executor, now: () => new Date(), services: { secrets } });
  });
};

export const mailFailed: Command = {
  help: `Usage: npm run parley -- mail failed

Lists the mails that could not be sent, newest first: id, time, kind, recipient and the last error.`,
  run: async (args, terminal) => {
    if (args.length > 0) throw new UsageError('Expected no arguments');
    await run(terminal, async (scope) => {
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const { mails, next } = await listFailedMails(scope, { after, limit: PAGE });
        if (isFirst && mails.length === 0) terminal.print('No failed mails.');
        for (const { id, failedAt, kind, to, lastError } of mails)
          terminal.print([id, failedAt.toISOString(), kind, to, lastError].join('  '));
        after = next;
      }
    });
  },
};

const readReplay = (args: string[]) => {
  let parsed: { values: { all?: boolean | undefined }; positionals: string[] };
  try {
    parsed = parseArgs({ args, options: { all: { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
  const [mailId, ...others] = parsed.positionals;
  if (others.length > 0 || (mailId === undefined) !== (parsed.values.all ?? false))
    throw new UsageError('Expected the id of one mail or --all');
  return mailId === undefined ? ALL_TIME : { mailId };
};

export const mailReplay: Command = {
  help: `Usage: npm run parley -- mail replay <id> | --all

Queues mails again that could not be sent. The server sends them.

  <id>    one mail, see: npm run parley -- mail failed
  --all   all failed mails`,
  run: async (args, terminal) => {
    const input = readReplay(args);
    const { count } = await run(terminal, (scope) => replayFailedMails(scope, input)).catch((error: unknown) => {
      if (error instanceof DomainError) throw new UsageError(error.message, { cause: error });
      throw error;
    });
    terminal.print(`Queued ${count} ${count === 1 ? 'mail' : 'mails'}.`);
  },
};
