import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { cleanUp, startRawReceiver, startReceiver } from '../../testing/http/web-receiver.ts';
import { createWeb } from './safe-fetch.ts';
import type { WebRequest } from './web.ts';

const get: Omit<WebRequest, 'url'> = { method: 'GET', timeoutMs: 60_000, maxBytes: 1024, maxRedirects: 3 };
/** A short timeout for servers that never finish. */
const HASTY = 100;

const open = (options: Partial<Parameters<typeof createWeb>[0]> = {}) => {
  const web = createWeb({ allowPrivate: true, ...options });
  cleanUp(() => web.close());
  return web;
};

it('posts a body and returns the response', async () => {
  const port = await startReceiver(async (request, response) => {
    const chunks = await request.toArray();
    const { host, 'content-length': length, 'accept-encoding': encoding, connection } = request.headers;
    response.writeHead(201, { 'X-Seen': 'yes', 'set-cookie': ['a=1', 'b=2'] });
    response.end(JSON.stringify({ body: Buffer.concat(chunks).toString(), host, length, encoding, connection }));
  });
  const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': 'gzip' };
  const url = `http://127.0.0.1:${port}/hook?a=1#part`;
  const answer = await open().request({ ...get, url, method: 'POST', headers, body: '{"é":1}' });
  expect(answer).toMatchObject({ status: 201, truncated: false, url });
  expect(answer.headers).toMatchObject({ 'x-seen': 'yes', 'set-cookie': 'a=1, b=2' });
  expect(JSON.parse(answer.body.toString())).toEqual({
    body: '{"é":1}',
    host: `127.0.0.1:${port}`,
    length: '8',
    encoding: 'identity',
    connection: 'close',
  });
});

it('sends credentials of the URL as a header, and not to other origins', async () => {
  const seen: unknown[] = [];
  const other = await startReceiver(({ headers }, response) => {
    seen.push([headers.authorization, headers['x-key'], headers.accept]);
    response.end();
  });
  const port = await startReceiver(({ headers, url }, response) => {
    seen.push([headers.authorization, headers['x-key'], headers.accept]);
    const location = url === '/' ? '/same' : `http://127.0.0.1:${other}/`;
    response.writeHead(307, { location }).end();
  });
  const url = `http://ann:p%40ss@127.0.0.1:${port}/`;
  const headers = { 'X-Key': 'secret', Accept: 'text/html' };
  const answer = await open().request({ ...get, url, headers, allowCredentials: true });
  const basic = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
  expect(seen).toEqual([
    [basic, 'secret', 'text/html'],
    [basic, 'secret', 'text/html'],
    [undefined, undefined, 'text/html'],
  ]);
  expect(answer.url).toBe(`http://127.0.0.1:${other}/`);
});

it('does not repeat a POST after a redirect, and follows none if redirects are not allowed', async () => {
  let calls = 0;
  const port = await startReceiver(({ url }, response) => {
    calls += 1;
    response.writeHead(Number(url!.slice(1)), { location: '/200' }).end('moved');
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const url = `http://127.0.0.1:${port}/${status}`;
    expect(await open().request({ ...get, url, method: 'POST' })).toMatchObject({ status, url });
    expect(await open().request({ ...get, url, maxRedirects: 0 })).toMatchObject({ status, url });
    expect(await open().request({ ...get, url })).toMatchObject({ status: 200 });
  }
  expect(calls).toBe(20);
});

it('stops at a redirect loop and returns a redirect without a target as the response', async () => {
  let calls = 0;
  const port = await startReceiver(({ url }, response) => {
    calls += 1;
    response.writeHead(302, url === '/loop' ? { location: '/loop' } : {}).end();
  });
  const web = open();
  const loop = web.request({ ...get, url: `http://127.0.0.1:${port}/loop` });
  await expect(loop).rejects.toMatchObject({ reason: 'redirects' });
  expect(calls).toBe(4);
  expect(await web.request({ ...get, url: `http://127.0.0.1:${port}/nowhere` })).toMatchObject({ status: 302 });
});

it('reads an endless body up to the limit and disconnects', async () => {
  let hungUp: Promise<unknown> | undefined;
  const port = await startReceiver((_request, response) => {
    hungUp = once(response, 'close');
    const fill = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'x')));
    };
    response.on('drain', fill);
    fill();
  });
  const answer = await open().request({ ...get, url: `http://127.0.0.1:${port}/`, maxBytes: 100_000 });
  expect(answer).toMatchObject({ status: 200, truncated: true });
  expect(answer.body.equals(Buffer.alloc(100_000, 'x'))).toBe(true);
  await hungUp;
});

it('reads a body of exactly the limit in chunks of one byte', async () => {
  const port = await startReceiver((_request, response) => {
    for (let count = 0; count < 1024; count += 1) response.write('x');
    response.end();
  });
  const answer = await open().request({ ...get, url: `http://127.0.0.1:${port}/` });
  expect(answer).toMatchObject({ truncated: false, body: Buffer.alloc(1024, 'x') });
});

it('stops before a body of a type that is not accepted', async () => {
  const port = await startReceiver((_request, response) =>
    response.writeHead(200, { 'x-kind': 'slow' }).flushHeaders(),
  );
  const accept: WebRequest['accept'] = ({ status, headers }) => !(status === 200 && headers['x-kind'] === 'slow');
  const answer = await open().request({ ...get, url: `http://127.0.0.1:${port}/`, accept });
  expect(answer).toMatchObject({ status: 200, truncated: true, body: Buffer.alloc(0) });
});

it('does not decompress unrequested encodings', async () => {
  const bomb = gzipSync(Buffer.alloc(1024 * 1024));
  const port = await startReceiver((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  );
  const answer = await open().request({ ...get, url: `http://127.0.0.1:${port}/`, maxBytes: 4096 });
  expect(answer.body.equals(bomb)).toBe(true);
});

it('applies the timeout to every server', async () => {
  const web = open();
  const trickle = (text: string) => () =>
    startRawReceiver((socket) => {
      socket.write(text);
      const timer = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(timer));
    });
  const receivers = [
    () => startRawReceiver(() => {}),
    trickle('HTTP/1.1 200 OK\r\nX-Long: '),
    trickle('HTTP/1.1 200 OK\r\n\r\n'),
    trickle('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n'),
    () => startReceiver((_request, response) => response.flushHeaders()),
  ];
  for (const start of receivers) {
    const request = { ...get, url: `http://127.0.0.1:${await start()}/`, timeoutMs: HASTY, maxBytes: 1_000_000 };
    await expect(web.request(request)).rejects.toMatchObject({ reason: 'timeout' });
  }
});

it('includes redirects and name resolution in the timeout', async () => {
  const port = await startReceiver((_request, response) => response.writeHead(302, { location: '/' }).end());
  const loop = open().request({ ...get, url: `http://127.0.0.1:${port}/`, maxRedirects: Infinity, timeoutMs: HASTY });
  await expect(loop).rejects.toMatchObject({ reason: 'timeout' });
  const silent = open({ lookup: () => new Promise(() => {}) });
  const named = silent.request({ ...get, url: 'http://silent.test/', timeoutMs: HASTY });
  await expect(named).rejects.toMatchObject({ reason: 'timeout' });
});

it.each([
  ['too many headers', `HTTP/1.1 200 OK\r\n${'X-Flood: 1\r\n'.repeat(10_000)}\r\n`, 'too_large'],
  ['one long header', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 'too_large'],
  ['a response that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'network'],
  ['nothing', '', 'network'],
  ['a truncated body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'network'],
  ['two content lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'network'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 'network'],
])('fails on %s', async (_name, text, reason) => {
  const port = await startRawReceiver((socket) => socket.once('data', () => socket.end(text)));
  await expect(open().request({ ...get, url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({ reason });
});

it('reports which name has no address and which host is unreachable', async () => {
  const nameless = open({ lookup: async () => [] });
  await expect(nameless.request({ ...get, url: 'http://none.test/' })).rejects.toMatchObject({ reason: 'network' });
  const unknown = open({ lookup: () => Promise.reject(new Error('ENOTFOUND none.test')) });
  await expect(unknown.request({ ...get, url: 'http://none.test/' })).rejects.toMatchObject({ reason: 'network' });
  const unreachable = open({ lookup: async () => ['127.0.0.1', '127.0.0.2'] });
  const refused = unreachable.request({ ...get, url: 'http://none.test:1/' });
  await expect(refused).rejects.toMatchObject({ reason: 'network', message: expect.stringContaining('ECONNREFUSED') });
});

it('tries the next address if the first one does not respond', async () => {
  const port = await startReceiver((_request, response) => response.end('second'), '127.0.0.2');
  const web = open({ lookup: async () => ['127.0.0.1', '127.0.0.2'] });
  const answer = await web.request({ ...get, url: `http://two.test:${port}/` });
  expect(answer.body.toString()).toBe('second');
});

it('treats a line break in a header as a bug of the caller', async () => {
  const request = { ...get, url: 'http://127.0.0.1:1/', headers: { 'x-name': 'a\r\nhost: b' } };
  await expect(open().request(request)).rejects.toThrow(TypeError);
});

it('aborts pending calls when it is closed and starts no new ones', async () => {
  const web = open();
  const port = await startReceiver(() => web.close());
  await expect(web.request({ ...get, url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({ reason: 'closed' });
  await expect(web.request({ ...get, url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({ reason: 'closed' });
});
