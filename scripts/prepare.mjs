import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areAppsBuilt } from './built-apps.mjs';
import { holdLock } from './hold-lock.mjs';
import { runNode } from './run-node.mjs';
import { runNpm } from './run-npm.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

const nodeVersion = '24.21.0';
// Uses the platform-specific package, because the `node` package downloads it in an install script, which npm may block.
const nodePackage = `node-${process.platform}-${process.arch}`;
const runtime = join(root, '.runtime');

/** Installs what a checkout lacks: a recent Node, the dependencies and the browser apps. Returns the path of the Node to use. */
export async function prepare({ log }) {
  const node = findNodePath();
  if (isNodeReady(node) && areDependenciesReady() && areAppsBuilt()) return node;
  try {
    await holdLock(join(runtime, 'preparing'), () => install(node, log));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  return node;
}

// Checks again, because another process may have installed everything while this one waited for the lock.
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

function findNodePath() {
  return isRunningNodeNewEnough() ? process.execPath : join(runtime, 'node_modules', nodePackage, 'bin', 'node');
}

function isNodeReady(node) {
  if (node === process.execPath) return true;
  const installed = readPackages(join(runtime, 'node_modules', '.package-lock.json'));
  return installed?.[`node_modules/${nodePackage}`]?.version === nodeVersion && existsSync(node);
}

async function installNode() {
  mkdirSync(runtime, { recursive: true });
  // Without a manifest in this folder, npm would use the one of the project.
  const manifest = { private: true, dependencies: { [nodePackage]: nodeVersion } };
  writeFileSync(join(runtime, 'package.json'), `${JSON.stringify(manifest)}\n`);
  await runNpm(
    process.execPath,
    ['install', '--prefix', runtime, '--no-package-lock', '--no-audit', '--no-fund'],
    runtime,
  );
}

// Equivalent to `npm ci`, which rejects a lock file that lacks packages for platforms the registry does not provide.
async function installDependencies(node) {
  rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  await runNpm(node, ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], root);
}

async function buildApps(node) {
  const code = await runNode(node, [join(root, 'scripts', 'build-apps.mjs')], { cwd: root });
  if (code !== 0) throw new Error('Building the browser apps failed.');
}

// npm writes this lock file as its last step, so an interrupted installation is detected too.
function areDependenciesReady() {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const expected = readPackages(join(root, 'package-lock.json'));
  if (!installed || !expected) return false;
  return Object.entries(expected).every(([path, { version, optional, devOptional, os, cpu }]) => {
    if (path === '') return true;
    if (!installed[path]) return Boolean(optional || devOptional);
    return installed[path].version === version && isSupported(os, process.platform) && isSupported(cpu, process.arch);
  });
}

// A `node_modules` folder copied from another machine contains packages for that platform. Lists may also exclude platforms,
// for example "!win32".
function isSupported(list, current) {
  return !list || list.includes(current) || (list[0].startsWith('!') && !list.includes(`!${current}`));
}

function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
