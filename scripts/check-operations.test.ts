import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentContract } from '#contracts/agent/index.ts';
import { configurationContract } from '#contracts/configuration/index.ts';
import { customerContract } from '#contracts/customer/index.ts';
import { webhookActions } from '#server/domain/support/webhooks/actions.ts';
import { migrations } from '#server/storage/migrations/index.ts';
import { surfaces } from '#server/surfaces/index.ts';

const root = path.join(import.meta.dirname, '..');
const readAll = (...patterns: string[]): string =>
  globSync(patterns, { cwd: root })
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');

const hasWord = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);

/** The end of a path from its last word on, with any value in place of a parameter. */
const pathPattern = (path: string): RegExp =>
  new RegExp(`${path.slice(path.search(/\/[^/:]+(\/:[^/]+)*$/)).replace(/:\w+/g, '[^/\\s]+')}\\b`);

describe('every operation', () => {
  const tests = readAll('server/**/*.test.ts', 'e2e/**/*.ts');
  it.each(surfaces.map(({ contract }) => contract))('of $name is called by a test', ({ operations }) => {
    const untested = operations.filter(({ name, path }) => !hasWord(tests, name) && !pathPattern(path).test(tests));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });

  // The conformance kits contain the operations of the API documents. All others are described only by us.
  const documents = readAll('docs/*.md', 'docs/behavior/*.md', 'e2e/conformance/**/*.ts');
  it.each([customerContract, agentContract, configurationContract])(
    'of $name is in the conformance kit or described in docs/behavior',
    ({ operations }) => {
      const undescribed = operations.map(({ name }) => name).filter((name) => !hasWord(documents, name));
      expect(undescribed).toEqual([]);
    },
  );
});

/** The surfaces with operations that change settings, members, credentials or money. */
const AUDITED = ['accounts', 'chat-ops', 'configuration', 'operator', 'partner'];

it('declares for every write whether it is audited', () => {
  const operations = surfaces.flatMap(({ contract }) => (AUDITED.includes(contract.name) ? contract.operations : []));
  const undeclared = operations.filter(({ method, reads, audit }) => method !== 'GET' && !reads && audit === undefined);
  expect(undeclared.map(({ name }) => name)).toEqual([]);
});

it('lists every migration file, in order', () => {
  const files = readdirSync(path.join(root, 'server/storage/migrations')).filter((name) => /^\d/.test(name));
  expect(migrations.map(({ id }) => id)).toEqual(files.map((name) => name.slice(0, 4)).sort());
});

it('offers every webhook action in the console', () => {
  const offered = readAll('console/src/pages/settings/webhooks/webhook-actions.ts');
  const missing = Object.values(webhookActions).filter((action) => action && !offered.includes(`'${action}'`));
  expect(missing).toEqual([]);
});
