import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const minutes = 60_000;

/** The programs that some tests need besides Node, with the environment variable for the path and the Debian package. */
const programs = [
  {
    variable: 'CHROMIUM_PATH',
    names: ['chromium', 'chromium-browser', 'google-chrome'],
    debian: 'chromium',
    tests: 'browser tests',
    disabled: process.env.BROWSER_TESTS === '0',
  },
  {
    variable: 'NATS_SERVER_PATH',
    names: ['nats-server'],
    debian: 'nats-server',
    tests: 'tests of several processes over NATS',
    disabled: false,
  },
];

/** Finds the programs, installs missing ones if possible, and reports which tests are skipped without them. */
export function findPrograms({ install, log }) {
  const environment = {};
  const apt = install ? findApt() : undefined;
  let updated = false;
  for (const program of programs) {
    if (program.disabled) continue;
    let path = process.env[program.variable] || find(program.names);
    if (!path && apt) {
      log(`Installing ${program.debian} …`);
      updated ||= runApt(apt, ['update'], 5 * minutes);
      if (updated) runApt(apt, ['install', '-y', '--no-install-recommends', program.debian], 10 * minutes);
      path = find(program.names);
    }
    if (path) environment[program.variable] = path;
    else log(`\n*** SKIPPED: ${program.tests}, because ${program.names[0]} is not installed. ***\n`);
  }
  return environment;
}

// Some server programs are installed in folders that are not in the PATH of regular users.
function find(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findApt() {
  const apt = find(['apt-get']);
  if (!apt) return undefined;
  if (process.getuid() === 0) return [apt];
  return process.env.CI && find(['sudo']) ? ['sudo', '-n', apt] : undefined;
}

function runApt([file, ...before], args, timeout) {
  const retryOptions = ['-o', 'Acquire::Retries=2', '-o', 'Acquire::http::Timeout=30', '-o', 'DPkg::Lock::Timeout=120'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync(file, [...before, '-q', ...retryOptions, ...args], {
    env,
    timeout,
    encoding: 'utf8',
  });
  if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}apt-get ${args[0]} failed.\n`);
  return status === 0;
}
