import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization } from '#server/testing/builders/factories.ts';
import { formOf } from '#server/testing/builders/upload.ts';

const MB = 1024 * 1024;

const folder = mkdtempSync(path.join(tmpdir(), 'parley-disk-'));
const mountDisk = (): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('Tests of a full disk are skipped: this user may not mount a file system.');
    return false;
  }
};
const isMounted = mountDisk();
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', folder]);
  rmdirSync(folder);
});

describe.skipIf(!isMounted)('a full disk', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ config: { dataDir: folder } });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const fillDisk = async (): Promise<string> => {
    const file = path.join(folder, 'filler');
    const handle = await open(file, 'w');
    const block = Buffer.alloc(MB);
    for (let isFull = false; !isFull; )
      await handle.write(block).catch((error: NodeJS.ErrnoException) => {
        expect(error.code).toBe('ENOSPC');
        isFull = true;
      });
    await handle.close();
    return file;
  };

  it('rejects uploads with 507 and makes the server unready until there is space again', async () => {
    const organization = await buildOrganization(test);
    const { token } = await buildCustomer(organization);
    const upload = async () => {
      const { headers, payload } = await formOf({ content: Buffer.alloc(2 * MB, 'a') });
      return test.app.inject({
        ...{ method: 'POST', url: `/v3.5/customer/action/upload_file?organization_id=${organization.id}` },
        ...{ headers: { ...headers, authorization: `Bearer ${token}` }, payload },
      });
    };
    const ready = async () => {
      const { statusCode, json } = await test.app.inject('/health/ready');
      return { status: statusCode, storage: json().storage };
    };
    const freeBytes = async () =>
      Number(/^parley_disk_free_bytes (\S+)$/m.exec((await test.app.inject('/metrics')).body)![1]);

    expect(await ready()).toEqual({ status: 200, storage: true });
    const filler = await fillDisk();
    const refused = await upload();
    expect(refused.statusCode).toBe(507);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.json().error.type).toBe('service_unavailable');
    expect(await ready()).toEqual({ status: 503, storage: false });
    expect(await freeBytes()).toBeLessThan(MB);

    await rm(filler);
    expect((await upload()).statusCode).toBe(200);
    expect(await ready()).toEqual({ status: 200, storage: true });
    expect(await freeBytes()).toBeGreaterThan(64 * MB);
  });
});
