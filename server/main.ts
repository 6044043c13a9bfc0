import { readConfig } from './config.ts';
import { startServer } from './server.ts';
import { StartError } from './storage/start-error.ts';

const print = (line: string): void => void process.stderr.write(`${line}\n`);

/** Errors that an operator can fix are shown as a message, all others with their stack trace. */
const explain = (error: unknown): string =>
  error instanceof StartError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);

const STOP_TIMEOUT_MS = 10_000;

const stopping = new AbortController();
const signalled = new Promise<undefined>((resolve) => {
  stopping.signal.addEventListener('abort', () => resolve(undefined));
});

const announceStop = (why: string): void => {
  print(`Stopping (${why}) …`);
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
};

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) return;
    announceStop(signal);
    stopping.abort();
  });
}

try {
  const server = await startServer({ config: readConfig(process.env), print, signal: stopping.signal });
  const failure = await Promise.race([signalled, server.failed]);
  if (failure) announceStop(explain(failure));
  await server.stop();
  print('Stopped.');
  process.exit(failure ? 1 : 0);
} catch (error) {
  // A start that was stopped by a signal is not a failure.
  const isStopped = error === stopping.signal.reason;
  print(isStopped ? 'Stopped.' : explain(error));
  process.exit(isStopped ? 0 : 1);
}
