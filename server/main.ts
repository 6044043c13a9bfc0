import { readConfig } from './config.ts';
import { startServer } from './server.ts';
import { StartError } from './storage/start-error.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What an operator can mend is said in words; what is ours comes with its trace. */
const explain = (error: unknown): string =>
  error instanceof StartError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);

const STOP_TIMEOUT_MS = 10_000;

const stopping = new AbortController();
const signalled = new Promise<undefined>((resolve) => {
  stopping.signal.addEventListener('abort', () => resolve(undefined));
});

const announceStop = (why: string): void => {
  say(`Stopping (${why}) …`);
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
  const server = await startServer({ config: readConfig(process.env), say, signal: stopping.signal });
  const failure = await Promise.race([signalled, server.failed]);
  if (failure) announceStop(explain(failure));
  await server.stop();
  say('Stopped.');
  process.exit(failure ? 1 : 0);
} catch (error) {
  // A start that was given up and closed again is no failure.
  const isGivenUp = error === stopping.signal.reason;
  say(isGivenUp ? 'Stopped.' : explain(error));
  process.exit(isGivenUp ? 0 : 1);
}
