import type { Closing } from './closing.ts';
import type { Context } from './context.ts';
import { findMailOwner, type MailIntake, receiveMail } from './domain/support/tickets/mail/receive-mail.ts';
import { StartError } from './storage/start-error.ts';

const CLOSE_MS = 1_000;

export const mailIntakeOf = ({ config, clock, database, ports }: Context): MailIntake => ({
  db: database.kysely,
  store: ports.files,
  clock,
  mailDomain: config.mailInDomain,
  maxBytes: config.mailInMaxBytes,
});

/** Opens the SMTP listener if it is configured and returns its port. */
export const openMailIn = async (ctx: Context, closing: Closing): Promise<number | undefined> => {
  const { mailInPort: port, mailInHost: host, mailInMaxBytes: maxBytes } = ctx.config;
  if (port === undefined) return undefined;
  const intake = mailIntakeOf(ctx);
  const { openMailListener } = await import('./ports/mail-in/listener.ts');
  const listener = await openMailListener({
    host,
    port,
    maxBytes,
    isKnown: async (address) => (await findMailOwner(intake, address)) !== undefined,
    accept: async (mail) => {
      await receiveMail(intake, mail);
      ctx.background.scheduler.wake('file-received-mails');
    },
    log: ctx.log,
  }).catch((error: NodeJS.ErrnoException) => {
    if (!error.code) throw error;
    throw new StartError(
      `Parley cannot listen for mail on ${host}:${port} (${error.code}). Set MAIL_IN_PORT or MAIL_IN_HOST.`,
      {
        cause: error,
      },
    );
  });
  closing.add('mail listener', () => listener.close(), CLOSE_MS);
  return listener.port;
};
