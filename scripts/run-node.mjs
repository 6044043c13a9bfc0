import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { waitFor } from './wait-for.mjs';

/** An environment whose PATH finds this Node first, also for child processes. */
export function withNodeFirst(node) {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
}

/** Runs a program with the given Node in the same terminal, forwards signals to it and returns its exit code. */
export function runNode(node, args, { cwd, env = {} } = {}) {
  return waitFor(spawn(node, args, { cwd, env: { ...withNodeFirst(node), ...env }, stdio: 'inherit' }));
}
