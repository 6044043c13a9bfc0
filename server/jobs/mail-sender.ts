import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#server/domain/clock.ts';
import type { Secrets } from '#server/domain/secrets.ts';
import { type MailAddress, MailRejectedError, type MailTransport } from '#server/ports/mail/mail.ts';
import { isDatabaseUnavailable } from '#server/storage/database-errors.ts';
import type { Executor } from '#server/storage/executor.ts';
import { type ClaimedMail, claimMails, extendMailClaims } from '#server/storage/platform-mails.ts';
import type { JobLog } from './job-log.ts';
import type { OutgoingMail } from './mail-queue.ts';

export interface MailSenderParts {
  database: Executor;
  clock: Clock;
  secrets: Secrets;
  transport: MailTransport;
  from: MailAddress;
  /** How many mails may be in flight in this process. */
  maxConcurrent: number;
  log: JobLog;
}

export interface MailSender {
  /** Starts sending what is due, as far as there is room. */
  poll(): Promise<void>;
  /** Sends everything that is due; tests call this instead of waiting. */
  drain(): Promise<void>;
  /** Starts no more mails and waits for those being sent, for a limited time. The others are sent again later. */
  stop(timeoutMs: number): Promise<void>;
}

/** How the connections are divided. */
const limitsFor = (maxConcurrent: number) => {
  const fast = Math.ceil(maxConcurrent / 2);
  return {
    fast,
    slow: maxConcurrent - fast,
    perOwner: Math.ceil(fast / 3),
    /** Of the fast ones, only for mails that people wait for, such as password resets. */
    reserved: Math.floor(fast / 5),
  };
};

/** A mail that takes longer no longer occupies a place that other owners' mails need. */
const SLOW_AFTER_MS = 2_000;
/** The mails of a process that died are sent by another one after this time. */
const CLAIM_MS = 30_000;
const EXTEND_AFTER_MS = 10_000;
const RETRY_DATABASE_MS = 500;

/** Delays after each failed attempt; further ones are 30 minutes, for three days in total. */
const RETRY_DELAYS_SECONDS = [10, 30, 60, 120, 300, 600, 900];
const LAST_RETRY_DELAY_SECONDS = 1_800;
const MAX_ATTEMPTS = 150;
const MAX_ERROR_LENGTH = 300;

interface Sending {
  mail: ClaimedMail;
  isSlow: boolean;
  ended: Promise<void>;
}

/**
 * Sends queued mails in parallel, fair between the organizations and partners that caused them, and the urgent kinds first.
 * Owners whose mails are slow, for example because their recipients' servers hang, share a limited number of places.
 * `onFree` is called when there is room to send more.
 */
export const createMailSender = (parts: MailSenderParts, onFree: () => void): MailSender => {
  const { database, clock, secrets, transport, from, log } = parts;
  const limits = limitsFor(parts.maxConcurrent);
  const sending = new Map<string, Sending>();
  const slowOwners = new Set<string>();
  let freed = Promise.withResolvers<void>();
  let extendedAt = clock.now().getTime();
  let isStopped = false;

  const announceRoom = (): void => {
    freed.resolve();
    freed = Promise.withResolvers();
    onFree();
  };

  const countSlow = (): number => [...sending.values()].filter(({ isSlow }) => isSlow).length;

  const ownersWith = (minimum: number): string[] => {
    const counts = new Map<string, number>();
    for (const { mail } of sending.values()) counts.set(mail.ownerId, (counts.get(mail.ownerId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= minimum).map(([ownerId]) => ownerId);
  };

  /** A mail that was sent is removed even if the database is away for a while, because it would be sent twice otherwise. */
  const recordUntilDone = async (text: string, name: string, values: unknown[]): Promise<void> => {
    for (;;) {
      try {
        await database.query({ name, text, values });
        return;
      } catch (error) {
        if (isStopped || !isDatabaseUnavailable(error)) throw error;
        await delay(RETRY_DATABASE_MS, undefined, { ref: false });
      }
    }
  };

  const recordSent = ({ ownerId, id }: ClaimedMail): Promise<void> =>
    recordUntilDone('delete from outgoing_mails m where m.owner_id = $1 and m.id = $2', 'remove_sent_mail', [
      ownerId,
      id,
    ]);

  /** Only the process with the last claim may record a failure. */
  const recordFailure = async ({ ownerId, id, kind, attempts }: ClaimedMail, error: Error): Promise<void> => {
    const now = clock.now();
    const isFinal = error instanceof MailRejectedError || attempts >= MAX_ATTEMPTS;
    const waitSeconds = RETRY_DELAYS_SECONDS[attempts - 1] ?? LAST_RETRY_DELAY_SECONDS;
    const about = { mail: id, kind, attempts, reason: error.message };
    if (isFinal) log.error(about, 'mail failed permanently');
    else log.info({ ...about, retryInSeconds: waitSeconds }, 'mail failed and will be retried');
    await recordUntilDone(
      `update outgoing_mails m set state = $4, next_attempt_at = $5, last_error = $6, failed_at = $7
       where m.owner_id = $1 and m.id = $2 and m.attempts = $3 and m.state = 'pending'`,
      'record_mail_failure',
      [
        ...[ownerId, id, attempts, isFinal ? 'failed' : 'pending', new Date(now.getTime() + waitSeconds * 1000)],
        ...[error.message.slice(0, MAX_ERROR_LENGTH), isFinal ? now : null],
      ],
    );
  };

  const send = async (mail: ClaimedMail): Promise<void> => {
    try {
      const content = JSON.parse(secrets.unseal(mail.contentSealed)) as OutgoingMail;
      await transport.send({ ...content, from });
    } catch (error) {
      // A mail that was interrupted by the shutdown is due again when its claim expires.
      if (!isStopped) await recordFailure(mail, error as Error);
      return;
    }
    await recordSent(mail);
  };

  const begin = (mail: ClaimedMail, isSlow: boolean): void => {
    const { id, ownerId } = mail;
    let tookLong = false;
    const timer = setTimeout(() => {
      tookLong = true;
      slowOwners.add(ownerId);
      if (!one.isSlow && countSlow() < limits.slow) {
        one.isSlow = true;
        announceRoom();
      }
    }, SLOW_AFTER_MS).unref();
    const ended = send(mail)
      .catch((error: unknown) => log.error({ err: error, mail: id }, 'recording a mail failed'))
      .finally(() => {
        clearTimeout(timer);
        if (!tookLong) slowOwners.delete(ownerId);
        sending.delete(id);
        announceRoom();
      });
    const one: Sending = { mail, isSlow, ended };
    sending.set(id, one);
  };

  const claim = async (isSlow: boolean): Promise<number> => {
    const slow = countSlow();
    const limit = isSlow ? limits.slow - slow : limits.fast - (sending.size - slow);
    if (limit <= 0 || isStopped || (isSlow && slowOwners.size === 0)) return 0;
    const now = clock.now();
    const mails = await claimMails(database, {
      ...{ now, until: new Date(now.getTime() + CLAIM_MS), limit },
      ...(isSlow
        ? { onlyOwners: [...slowOwners], exceptOwners: ownersWith(1), reserved: 0 }
        : { exceptOwners: [...slowOwners, ...ownersWith(limits.perOwner)], reserved: limits.reserved }),
    });
    // A mail whose claim expired while it was being sent is not sent a second time.
    const added = mails.filter(({ id }) => !sending.has(id));
    for (const mail of added) begin(mail, isSlow);
    return added.length;
  };

  /** Each claim takes one mail per owner, so that they alternate. */
  const fill = async (): Promise<void> => {
    while ((await claim(false)) + (await claim(true)) > 0);
  };

  const extendClaims = async (): Promise<void> => {
    const now = clock.now().getTime();
    if (sending.size === 0 || now - extendedAt < EXTEND_AFTER_MS) return;
    extendedAt = now;
    const mails = [...sending.values()].map(({ mail }) => mail);
    await extendMailClaims(database, mails, new Date(now + CLAIM_MS));
  };

  return {
    poll: async () => {
      await extendClaims();
      await fill();
    },
    drain: async () => {
      for (;;) {
        const { promise } = freed;
        await fill();
        if (sending.size > 0) await promise;
        else if (promise === freed.promise) return;
      }
    },
    stop: async (timeoutMs) => {
      isStopped = true;
      const ended = Promise.allSettled([...sending.values()].map((one) => one.ended));
      await Promise.race([ended, delay(timeoutMs, undefined, { ref: false })]);
    },
  };
};
