import { Worker } from 'node:worker_threads';
import { parseBare } from './parse-mail.ts';
import type { ParsedMail } from './parsed-mail.ts';

export interface MailReader {
  /** Parses any bytes as an email, with limited time and memory. Fails only if it is closed meanwhile. */
  read(raw: Uint8Array): Promise<ParsedMail>;
  /** Closes immediately; the current email is not parsed. */
  close(): Promise<void>;
}

interface ReaderOptions {
  /** An email that takes longer is stored unparsed. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const MAX_MEGABYTES = 512;

/**
 * Emails are parsed in a worker thread, so that a malicious one can only end that thread. One email at a time; the
 * thread is reused.
 */
export const createMailReader = ({ timeoutMs = DEFAULT_TIMEOUT_MS }: ReaderOptions = {}): MailReader => {
  let worker: Worker | undefined;
  let previous: Promise<unknown> = Promise.resolve();
  let closed = false;

  const open = (): Worker => {
    const opened = new Worker(new URL('./parse-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    });
    // An idle thread must not keep the process alive.
    opened.unref();
    return opened;
  };

  const end = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };

  const parseInWorker = (raw: Uint8Array): Promise<ParsedMail | undefined> =>
    new Promise((resolve) => {
      worker ??= open();
      const current = worker;
      const finish = (parsed: ParsedMail | undefined): void => {
        clearTimeout(timer);
        current.off('message', finish).off('error', fail).off('exit', fail);
        resolve(parsed);
      };
      const fail = (): void => finish(undefined);
      const timer = setTimeout(fail, timeoutMs);
      current.once('message', finish).once('error', fail).once('exit', fail).postMessage(raw);
    });

  const read = async (raw: Uint8Array): Promise<ParsedMail> => {
    const parsed = closed ? undefined : await parseInWorker(raw);
    if (parsed) return parsed;
    if (closed) throw new Error('the mail reader is closed');
    await end();
    return parseBare(raw);
  };

  return {
    read: (raw) => {
      const reading = previous.then(() => read(raw));
      previous = reading.catch(() => undefined);
      return reading;
    },
    close: () => {
      closed = true;
      return end();
    },
  };
};
