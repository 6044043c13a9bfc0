import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { readConfig } from './config.ts';
import { openContext } from './context.ts';
import { createWeb } from './ports/web/safe-fetch.ts';

it('closes what it opened when a later step fails', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  writeFileSync(path.join(dataDir, 'files'), 'not a directory');
  let closed = 0;
  const web = createWeb({ allowPrivate: false });
  const close = () => {
    closed++;
    web.close();
  };
  const opening = openContext({
    config: readConfig({ DATA_DIR: dataDir }),
    secrets: { secretKey: 'secret-key-for-tests-only', operatorToken: 'operator-token-for-tests' },
    connection: await createTestDatabase(),
    log: pino({ level: 'silent' }),
    publicUrl: () => 'http://parley.test',
    previews: { ...web, close },
  });
  await expect(opening).rejects.toThrow(/files/);
  expect(closed).toBe(1);
  rmSync(dataDir, { recursive: true });
});
