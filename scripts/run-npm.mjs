import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { withNodeFirst } from './run-node.mjs';
import { waitFor } from './wait-for.mjs';

/** Runs npm with the given Node. Its output is printed only if it fails. */
export async function runNpm(node, args, cwd) {
  // Under `npm start`, npm_execpath is the path of npm; otherwise npm is found by the PATH.
  const cli = process.env.npm_execpath;
  const [file, ...before] = cli && basename(cli) === 'npm-cli.js' ? [node, cli] : ['npm'];
  const child = spawn(file, [...before, ...args], { cwd, env: withNodeFirst(node), stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await waitFor(child);
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Error(`npm ${args[0]} failed with code ${code}.`);
}
