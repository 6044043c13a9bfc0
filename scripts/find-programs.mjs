import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const minutes = 60_000;

/** What some tests need besides Node: the variable that tells them the path, and how Debian calls it. */
const wanted = [
  {
    variable: 'CHROMIUM_PATH',
    names: ['chromium', 'chromium-browser', 'google-chrome'],
    debian: 'chromium',
    tests: 'browser tests',
    refused: process.env.BROWSER_TESTS === '0',
  },
  {
    variable: 'NATS_SERVER_PATH',
    names: ['nats-server'],
    debian: 'nats-server',
    tests: 'tests of several nodes over NATS',
    refused: false,
  },
];

/** Finds the programs, installs the missing ones where that is allowed, and says loudly which tests go without. */
export function findPrograms({ install, log }) {
  const environment = {};
  const apt = install ? findApt() : undefined;
  let updated = false;
  for (const program of wanted) {
    if (program.refused) continue;
    let path = process.env[program.variable] || find(program.names);
    if (!path && apt) {
      log(`Installing ${program.debian} …`);
      updated ||= runApt(apt, ['update'], 5 * minutes);
      if (updated) runApt(apt, ['install', '-y', '--no-install-recommends', program.debian], 10 * minutes);
      path = find(program.names);
    }
    if (path) environment[program.variable] = path;
    else log(`\n*** SKIPPED: the ${program.tests}. ${program.names[0]} is not installed. ***\n`);
  }
  return environment;
}

// Some programs for servers are outside an ordinary user's PATH.
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
  const patience = ['-o', 'Acquire::Retries=2', '-o', 'Acquire::http::Timeout=30', '-o', 'DPkg::Lock::Timeout=120'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync(file, [...before, '-q', ...patience, ...args], {
    env,
    timeout,
    encoding: 'utf8',
  });
  if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}apt-get ${args[0]} failed.\n`);
  return status === 0;
}
