import { expect, it } from 'vitest';
import { cleanUp, startReceiver } from '../../testing/http/web-receiver.ts';
import { isPublicAddress } from './address.ts';
import type { Lookup } from './lookup.ts';
import { createWeb } from './safe-fetch.ts';
import { RefusedAddressError, type WebRequest } from './web.ts';

const get: Omit<WebRequest, 'url'> = { method: 'GET', timeoutMs: 60_000, maxBytes: 1024, maxRedirects: 3 };

const neverAsked: Lookup = (name) => Promise.reject(new Error(`${name} was looked up`));

/** In these tests 127.0.0.1 counts as public; all other rules apply. */
const isPublic = (address: string) => address === '127.0.0.1' || isPublicAddress(address);

const open = (options: Partial<Parameters<typeof createWeb>[0]> = {}) => {
  const web = createWeb({ allowPrivate: false, lookup: neverAsked, ...options });
  cleanUp(() => web.close());
  return web;
};

it.each([
  'http://127.0.0.1/',
  'http://127.0.0.1:8080/',
  'https://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.000.000.001/',
  'http://0177.0.0.1/',
  'http://0177.0000000.1/',
  'http://0x7f.0.0.1/',
  'http://0x7f000001/',
  'http://0X7F.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://１２７.０.０.１/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http:127.0.0.1',
  'http:\\\\127.0.0.1\\',
  ' http://127.0.0.1/ ',
  'h\tttp://127.0.\n0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://168.63.129.16/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://4294967295/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fe80::1%25eth0]/',
  'http://[ff02::1]/',
  'http://8.8.8.8:22/',
  'http://8.8.8.8:25/',
  'https://8.8.8.8:1023/',
  'http://user@8.8.8.8/',
  'http://user:password@8.8.8.8/',
  'http://:password@8.8.8.8/',
  'http://8.8.8.8@127.0.0.1/',
  'ftp://8.8.8.8/',
  'file:///etc/passwd',
  'gopher://8.8.8.8/',
  'data:text/html,hello',
  'javascript:alert(1)',
  'blob:https://8.8.8.8/1',
  'ws://8.8.8.8/',
  'unix:/var/run/docker.sock',
  '//8.8.8.8/',
  '/path',
  'http://',
  'http://256.256.256.256/',
  'http://8.8.8.8:99999/',
  'http://[::1/',
  '',
])('rejects %j', async (url) => {
  await expect(open().request({ ...get, url })).rejects.toThrow(RefusedAddressError);
  await expect(open().request({ ...get, method: 'POST', url })).rejects.toThrow(RefusedAddressError);
});

it.each([
  [['127.0.0.1']],
  [['10.0.0.1']],
  [['8.8.8.8', '10.0.0.1']],
  [['8.8.8.8', '::1']],
  [['2606:4700::1111', '::ffff:10.0.0.1']],
  [['not an address']],
])('rejects a name that resolves to %j without revealing the address', async (addresses) => {
  const web = open({ lookup: async () => addresses });
  const rejection = await web.request({ ...get, url: 'http://inside.test/' }).catch((error: unknown) => error);
  expect(rejection).toBeInstanceOf(RefusedAddressError);
  expect((rejection as Error).message).toBe('inside.test must have a public address');
});

it('checks the target of each redirect', async () => {
  let path = '';
  const port = await startReceiver((request, response) => {
    path = request.url!;
    const location = new URL(request.url!, 'http://x').searchParams.get('to')!;
    response.writeHead(302, { location }).end();
  });
  const web = open({ isPublic });
  for (const to of [
    'http://127.0.0.2/',
    'http://169.254.169.254/latest',
    '//[::1]/',
    'http://127.0.0.1:22/',
    'http://user:password@127.0.0.1/',
    'file:///etc/passwd',
    'http://[',
  ]) {
    const url = `http://127.0.0.1:${port}/?to=${encodeURIComponent(to)}`;
    await expect(web.request({ ...get, url })).rejects.toThrow(RefusedAddressError);
    expect(path).toContain(encodeURIComponent(to));
  }
});

it('connects to the checked address and checks again after a redirect to the same host', async () => {
  const visits: string[] = [];
  const port = await startReceiver((request, response) => {
    visits.push(request.headers.host!);
    response.writeHead(302, { location: '/again' }).end();
  });
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  const web = open({ isPublic, lookup: async () => answers.shift()! });
  await expect(web.request({ ...get, url: `http://rebind.test:${port}/` })).rejects.toThrow(RefusedAddressError);
  expect(visits).toEqual([`rebind.test:${port}`]);
  expect(answers).toEqual([]);
});

it('resolves a name once per connection', async () => {
  const port = await startReceiver((_request, response) => response.end('the checked one'));
  const answers = [['127.0.0.1']];
  const web = open({ isPublic, lookup: async () => answers.shift()! });
  const answer = await web.request({ ...get, url: `http://rebind.test:${port}/` });
  expect(answer.body.toString()).toBe('the checked one');
});

it('rejects other schemes and unexpected credentials even if private addresses are allowed', async () => {
  const web = open({ allowPrivate: true });
  for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://user:password@127.0.0.1/'])
    await expect(web.request({ ...get, url })).rejects.toThrow(RefusedAddressError);
});

it('rejects credentials that cannot be decoded', async () => {
  const request = { ...get, url: 'http://%ff:x@127.0.0.1/', allowCredentials: true };
  await expect(open({ allowPrivate: true }).request(request)).rejects.toThrow(RefusedAddressError);
});
