import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { openOrganizationScope, type Services } from '#server/domain/scope.ts';
import { fileMail } from '#server/domain/support/tickets/mail/file-mail.ts';
import type { FileStore } from '#server/ports/files/files.ts';
import { createMailReader } from '#server/ports/mail-in/mail-reader.ts';
import { parseBare } from '#server/ports/mail-in/parse-mail.ts';
import type { Database } from '#server/storage/database.ts';
import { claimWaitingMail, type DueMail, postponeMail } from '#server/storage/platform.ts';

export interface MailFilerTools {
  database: Database;
  services: Services;
  files: FileStore;
  log: Logger;
}

export interface MailFiler {
  /** Files all mails that are due. */
  drain(): Promise<void>;
  /** A mail that is being read is abandoned and remains due. */
  stop(): Promise<void>;
}

/** A process that takes a mail has this long to file it; after that another process may take it. */
const LEASE_MS = 300_000;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 3_600_000;
/** A mail that fails more often is filed with its raw source instead of its parsed text. */
const MAX_FAILURES = 3;

const waitAfter = (attempts: number): number => Math.min(FIRST_WAIT_MS * 2 ** attempts, MAX_WAIT_MS);

/**
 * Turns received mails into tickets and messages, one after the other, so that few of them are in memory. Mails that another
 * process or a command stored are found at the next poll.
 */
export const createMailFiler = ({ database, services, files, log }: MailFilerTools): MailFiler => {
  const reader = createMailReader();
  let stopped = false;

  const read = async (storageKey: string): Promise<Buffer> => {
    const stored = await files.read(storageKey);
    return stored ? buffer(stored.stream) : Buffer.alloc(0);
  };

  const file = async (due: DueMail): Promise<void> => {
    const raw = await read(due.storageKey);
    const scope = openOrganizationScope(services, { kind: 'system' }, due.organizationId);
    const mail = await reader.read(raw);
    try {
      await fileMail(scope, files, { waiting: due, mail, raw });
    } catch (error) {
      // If the mail is not the cause, this fails as well, and the next attempt parses it again.
      if (due.attempts <= MAX_FAILURES) throw error;
      log.error({ err: error, mail: due.id }, 'mail filed without parsing');
      await fileMail(scope, files, { waiting: due, mail: parseBare(raw), raw });
    }
  };

  const fileNext = async (): Promise<boolean> => {
    const now = services.clock.now();
    const due = await claimWaitingMail(database, now, new Date(now.getTime() + LEASE_MS));
    if (!due) return false;
    try {
      await file(due);
    } catch (error) {
      log.error({ err: error, mail: due.id, attempts: due.attempts }, 'filing a received mail failed');
      await postponeMail(database, due, new Date(services.clock.now().getTime() + waitAfter(due.attempts)));
    }
    return true;
  };

  const drain = async (): Promise<void> => {
    while (!stopped && (await fileNext()));
  };

  return {
    drain,
    stop: async () => {
      stopped = true;
      await reader.close();
    },
  };
};
