import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { waitFor } from './wait-for.mjs';

/** The environment in which `node` means this one, for every program started below. */
export function withNodeFirst(node) {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
}

/** Runs a program under the given Node as if it were this process: same terminal, same signals. Returns its exit code. */
export function runNode(node, args, { cwd, env = {} } = {}) {
  return waitFor(spawn(node, args, { cwd, env: { ...withNodeFirst(node), ...env }, stdio: 'inherit' }));
}
