import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { testingCertificate } from '../../testing/http/certificate.ts';
import { cleanUp, startTlsReceiver } from '../../testing/http/web-receiver.ts';
import { createWeb } from './safe-fetch.ts';
import type { WebRequest } from './web.ts';

const get: Omit<WebRequest, 'url'> = { method: 'GET', timeoutMs: 60_000, maxBytes: 1024, maxRedirects: 0 };
const authorities = getCACertificates('default');
afterEach(() => setDefaultCACertificates(authorities));

const open = () => {
  const web = createWeb({ allowPrivate: true, lookup: async () => ['127.0.0.1'] });
  cleanUp(() => web.close());
  return web;
};

it('rejects an untrusted certificate regardless of the environment', async () => {
  const port = await startTlsReceiver((_request, response) => response.end());
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  cleanUp(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  const call = open().request({ ...get, url: `https://hook.test:${port}/` });
  await expect(call).rejects.toMatchObject({ reason: 'network', cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
});

it('checks the certificate against the name, not the address', async () => {
  setDefaultCACertificates([...authorities, testingCertificate.cert]);
  const port = await startTlsReceiver((request, response) => {
    response.end(`${(request.socket as { servername?: string }).servername} ${request.headers.host}`);
  });
  const answer = await open().request({ ...get, url: `https://hook.test:${port}/` });
  expect(answer.body.toString()).toBe(`hook.test hook.test:${port}`);
  for (const host of ['other.test', '127.0.0.1']) {
    const call = open().request({ ...get, url: `https://${host}:${port}/` });
    await expect(call).rejects.toMatchObject({ reason: 'network', cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } });
  }
});
