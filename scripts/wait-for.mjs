import { constants } from 'node:os';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Waits until a child process exits and returns its exit code. Meanwhile, termination signals are forwarded to the child. */
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

// Ctrl-C is delivered by the terminal and again by npm; it is forwarded to the child only once.
function once(act) {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
