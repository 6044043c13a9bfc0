import { readConfig } from './config.ts';
import { startServer } from './server.ts';
import { StartError } from './storage/start-error.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What an operator can mend is said in words; what is ours comes with its trace. */
const explain = (error: unknown): string =>
  error instanceof StartError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);

const STOP_WITHIN_MS = 10_000;

try {
  const server = await startServer({ config: readConfig(process.env), say });
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    say(`Stopping (${signal}) …`);
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await server.stop();
    say('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
} catch (error) {
  say(explain(error));
  process.exit(1);
}
