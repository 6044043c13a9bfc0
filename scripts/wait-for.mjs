import { constants } from 'node:os';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Waits for the end of a child and returns its exit code. Meanwhile the signals that would end us go to the child. */
export async function waitFor(child) {
  const forward = new Map(forwarded.map((signal) => [signal, once(() => child.kill(signal))]));
  for (const [signal, handler] of forward) process.on(signal, handler);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    for (const [signal, handler] of forward) process.off(signal, handler);
  }
}

// Ctrl-C reaches us from the terminal and again from npm; the child hears of it from us once.
function once(act) {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
