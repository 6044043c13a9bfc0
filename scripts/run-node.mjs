import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from './wait-for.mjs';

/** Compiling the source takes most of the time of a start. */
export const compileCache = join(fileURLToPath(new URL('..', import.meta.url)), '.runtime', 'compile-cache');

/** An environment whose PATH finds this Node first, also for child processes. */
export function withNodeFirst(node) {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
}

/** Runs a program with the given Node in the same terminal, forwards signals to it and returns its exit code. */
export function runNode(node, args, { cwd, env = {} } = {}) {
  return waitFor(
    spawn(node, args, {
      cwd,
      env: { NODE_COMPILE_CACHE: compileCache, ...withNodeFirst(node), ...env },
      stdio: 'inherit',
    }),
  );
}
