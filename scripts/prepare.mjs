import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areAppsBuilt } from './built-apps.mjs';
import { holdLock } from './hold-lock.mjs';
import { runNode } from './run-node.mjs';
import { runNpm } from './run-npm.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

const nodeVersion = '24.21.0';
// The platform's own package: `node` itself fetches it in an install script, which npm may hold back.
const nodePackage = `node-${process.platform}-${process.arch}`;
const runtime = join(root, '.runtime');

/** Brings what a fresh checkout lacks: a new enough Node, the dependencies, and the browser apps. Returns the path of that Node. */
export async function prepare({ log }) {
  const node = chooseNode();
  if (isNodeReady(node) && areDependenciesReady() && areAppsBuilt()) return node;
  try {
    await holdLock(join(runtime, 'preparing'), () => install(node, log));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  return node;
}

// Asks again: while this process waited for the lock, another may have done the work.
async function install(node, log) {
  if (!isNodeReady(node)) {
    log('Installing Node 24 …');
    await installNode();
  }
  if (!areDependenciesReady()) {
    log('Installing dependencies …');
    await installDependencies(node);
  }
  if (!areAppsBuilt()) {
    log('Building the console and the widget …');
    await buildApps(node);
  }
}

export function isRunningNodeNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= 24;
}

function chooseNode() {
  return isRunningNodeNewEnough() ? process.execPath : join(runtime, 'node_modules', nodePackage, 'bin', 'node');
}

function isNodeReady(node) {
  if (node === process.execPath) return true;
  const installed = readPackages(join(runtime, 'node_modules', '.package-lock.json'));
  return installed?.[`node_modules/${nodePackage}`]?.version === nodeVersion && existsSync(node);
}

async function installNode() {
  mkdirSync(runtime, { recursive: true });
  // A manifest of its own, or npm would climb to the project's.
  const manifest = { private: true, dependencies: { [nodePackage]: nodeVersion } };
  writeFileSync(join(runtime, 'package.json'), `${JSON.stringify(manifest)}\n`);
  await runNpm(
    process.execPath,
    ['install', '--prefix', runtime, '--no-package-lock', '--no-audit', '--no-fund'],
    runtime,
  );
}

// Like `npm ci`, which though refuses a lock file without the packages of platforms that a registry does not carry.
async function installDependencies(node) {
  rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  await runNpm(node, ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], root);
}

async function buildApps(node) {
  const code = await runNode(node, [join(root, 'scripts', 'build-apps.mjs')], { cwd: root });
  if (code !== 0) throw new Error('The browser apps could not be built.');
}

// npm writes down what it installed as its last step, so this also notices an interrupted installation.
function areDependenciesReady() {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (!installed || !wanted) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, os, cpu }]) => {
    if (path === '') return true;
    if (!installed[path]) return Boolean(optional || devOptional);
    return installed[path].version === version && fits(os, process.platform) && fits(cpu, process.arch);
  });
}

// A folder copied from another machine holds that machine's packages. The list may also say what does not fit: "!win32".
function fits(list, mine) {
  return !list || list.includes(mine) || (list[0].startsWith('!') && !list.includes(`!${mine}`));
}

function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
