// Runs type checks, lint and tests, or only the tests that match the filter arguments. The last line is the number of results.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPrograms } from './find-programs.mjs';
import { prepare, root } from './prepare.mjs';
import { runNode } from './run-node.mjs';

const node = await prepare({ log: console.log });
const filter = process.argv.slice(2);

let passed = 0;
let failed = 0;
let skipped = 0;

const env = findPrograms({ install: filter.length === 0, log: console.log });
if (filter.length === 0) {
  if ((await runBin('tsc', ['--noEmit'])) !== 0) failed += 1;
  if ((await runBin('biome', ['check', '.'])) !== 0) failed += 1;
}
await runTests();
if (skipped > 0)
  console.log(`WARNING: ${skipped} tests were skipped because a program they need is missing (see above).`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function runBin(name, args) {
  const code = await runNode(node, [join(root, 'node_modules', '.bin', name), ...args], { cwd: root, env });
  // Interrupting one step (SIGHUP, SIGINT, SIGTERM) ends the whole run.
  if ([129, 130, 143].includes(code)) process.exit(code);
  return code;
}

async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-report-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await runBin('vitest', ['run', ...reporters, ...filter]);
  const failedBefore = failed;
  count(report);
  rmSync(folder, { recursive: true });
  // An error outside of tests fails the run, but is not part of the results.
  if (code !== 0 && failed === failedBefore) failed += 1;
}

function count(report) {
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return;
  }
  passed += results.numPassedTests;
  skipped += results.numPendingTests + results.numTodoTests;
  // A file that cannot be loaded has no test results.
  const broken = results.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  failed += results.numFailedTests + broken.length;
}
