import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { loadInstallationSecrets } from './installation-secrets.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const load = (env: Record<string, string> = {}) =>
  loadInstallationSecrets(readConfig({ DATA_DIR: path.join(dir, 'data'), ...env }));

describe('the secrets of an installation', () => {
  it('are created once, differ from each other, and are reused', () => {
    const first = load();
    expect(first.secretKey).not.toBe(first.operatorToken);
    expect(first.secretKey).toHaveLength(43);
    expect(load()).toEqual(first);
  });

  it('are readable only by their owner', () => {
    load();
    for (const name of ['secret-key', 'operator-token'])
      expect(statSync(path.join(dir, 'data', name)).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dir, 'data')).mode & 0o777).toBe(0o700);
  });

  it('are read from the settings if set there, and not written to files', () => {
    const settings = { SECRET_KEY: 'a key of the operator', OPERATOR_TOKEN: 'a token of the operator' };
    expect(load(settings)).toEqual({ secretKey: settings.SECRET_KEY, operatorToken: settings.OPERATOR_TOKEN });
    expect(() => readFileSync(path.join(dir, 'data', 'secret-key'))).toThrow(/ENOENT/);
  });

  it('are rejected when their file is empty, because an empty key would protect nothing', () => {
    load();
    writeFileSync(path.join(dir, 'data', 'operator-token'), '\n');
    expect(() => load()).toThrow(/operator-token/);
  });

  it('are the same for processes that start together', async () => {
    const code = `
      import { loadInstallationSecrets } from ${JSON.stringify(new URL('./installation-secrets.ts', import.meta.url).href)};
      import { once } from 'node:events';
      console.log('here');
      await once(process.stdin, 'data');
      console.log(JSON.stringify(loadInstallationSecrets({ dataDir: ${JSON.stringify(path.join(dir, 'data'))} })));
      process.exit();`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    const said = children.map(({ stdout }) => text(stdout));
    for (const { stdin } of children) stdin.write('go');
    expect(new Set(await Promise.all(said)).size).toBe(1);
    expect(readdirSync(path.join(dir, 'data')).toSorted()).toEqual(['operator-token', 'secret-key']);
  });
});
