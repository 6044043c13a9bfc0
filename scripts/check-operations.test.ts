import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { agentContract } from '#contracts/agent/index.ts';
import { configurationContract } from '#contracts/configuration/index.ts';
import { customerContract } from '#contracts/customer/index.ts';
import { migrations } from '#server/storage/migrations/index.ts';

const root = path.join(import.meta.dirname, '..');
const tests = globSync(['server/**/*.test.ts', 'e2e/**/*.ts'], { cwd: root })
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');

it.each([customerContract, agentContract, configurationContract])(
  '$name: every action is called by a test',
  (contract) => {
    const untested = contract.operations
      .map(({ name }) => name)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(tests));
    expect(untested).toEqual([]);
  },
);

it('lists every migration file, in order', () => {
  const files = readdirSync(path.join(root, 'server/storage/migrations')).filter((name) => /^\d/.test(name));
  expect(migrations.map(({ id }) => id)).toEqual(files.map((name) => name.slice(0, 4)).sort());
});
