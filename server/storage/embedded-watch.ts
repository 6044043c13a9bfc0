import { setTimeout as delay } from 'node:timers/promises';
import { isGone, type Postmaster } from './embedded-process.ts';
import { StartError } from './start-error.ts';

export interface Running {
  server: Postmaster;
  /** Resolves with the reason when the process has ended. */
  ended(): Promise<string>;
}

export interface WatchOptions {
  first: Running;
  launchAgain(): Promise<Running>;
  print(line: string): void;
  /** The server cannot be restarted. */
  onLost(error: Error): void;
  /** Delay before each attempt. */
  pausesMs?: readonly number[];
}

const POLL_INTERVAL_MS = 1_000;
const PAUSES_MS = [0, 250, 1_000, 2_000, 4_000];
/** After running this long, all attempts are available again. */
const STABLE_AFTER_MS = 60_000;

/** Only the parent of a process is notified of its end. */
export const waitUntilGone = async (pid: number, cluster: string): Promise<string> => {
  while (!(await isGone(pid, cluster))) await delay(POLL_INTERVAL_MS, undefined, { ref: false });
  return 'its process is gone';
};

/** Restarts a server that ends unexpectedly. PostgreSQL then recovers everything it had acknowledged. */
export const keepRunning = ({ first, launchAgain, print, onLost, pausesMs = PAUSES_MS }: WatchOptions) => {
  const stopping = new AbortController();
  let current = first;
  let tries = 0;
  let restarting: Promise<void> | undefined;

  const restart = async (how: string): Promise<void> => {
    const pause = pausesMs[tries++];
    if (pause === undefined) throw new StartError(`The database stopped and could not be restarted: ${how}.`);
    await delay(pause, undefined, { signal: stopping.signal });
    print(`Database stopped: ${how}. Restarting …`);
    try {
      current = await launchAgain();
      print('Database restarted.');
    } catch (error) {
      await restart((error as Error).message);
    }
  };

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const how = await current.ended();
      if (performance.now() - since >= STABLE_AFTER_MS) tries = 0;
      if (stopping.signal.aborted) return;
      restarting = restart(how);
      await restarting;
    }
  };

  watch().catch((error: Error) => {
    if (!stopping.signal.aborted) onLost(error);
  });

  return {
    /** Stops watching and returns the current server. */
    leave: async (): Promise<Postmaster> => {
      stopping.abort();
      await restarting?.catch(() => undefined);
      return current.server;
    },
  };
};
