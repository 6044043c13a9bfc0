import type { LookupAddress } from 'node:dns';
import { type ClientRequest, request as callPlain, type IncomingMessage } from 'node:http';
import { request as callTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { WebAnswer, WebHead, WebRequest } from './web.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const INITIAL_BUFFER_BYTES = 16 * 1024;

interface Call extends Pick<WebRequest, 'method' | 'body' | 'maxBytes'> {
  url: URL;
  /** The addresses of the host. No other address is connected to, even if the DNS answer changes. */
  addresses: LookupAddress[];
  headers: Record<string, string>;
  accept: (head: WebHead) => boolean;
}

/** One request and its response on a new connection. */
export const exchange = async (call: Call, signal: AbortSignal): Promise<WebAnswer> => {
  const { url, method, addresses, headers } = call;
  const request = (url.protocol === 'https:' ? callTls : callPlain)({
    method,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, 'accept-encoding': 'identity' },
    lookup: pin(addresses),
    agent: false,
    rejectUnauthorized: true,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
  try {
    const response = await send(request, call.body);
    const head = readHead(response);
    const content = call.accept(head)
      ? await collect(response, call.maxBytes)
      : { body: Buffer.alloc(0), truncated: true };
    // A body without a length ends with its connection, so a truncated one looks complete.
    signal.throwIfAborted();
    return { ...head, ...content, url: url.href };
  } finally {
    request.destroy();
  }
};

const pin =
  (addresses: LookupAddress[]): LookupFunction =>
  (_name, { all }, done) =>
    all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);

const send = (request: ClientRequest, body: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    request.once('close', () => reject(new Error('the connection ended without a response')));
    request.end(body);
  });

const readHead = ({ statusCode, headers }: IncomingMessage): WebHead => ({
  status: statusCode!,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  ),
});

/**
 * Copies the chunks, because each one keeps the block it was cut from in memory; a body that arrives byte by byte would
 * use thousands of times its size.
 */
const collect = async (stream: AsyncIterable<Buffer>, maxBytes: number) => {
  let buffer = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of stream) {
    const wanted = chunk.subarray(0, maxBytes - size);
    if (size + wanted.length > buffer.length) {
      const room = Math.max(INITIAL_BUFFER_BYTES, buffer.length * 2, size + wanted.length);
      buffer = Buffer.concat([buffer], Math.min(room, maxBytes));
    }
    buffer.set(wanted, size);
    size += wanted.length;
    if (wanted.length < chunk.length) return { body: buffer.subarray(0, size), truncated: true };
  }
  return { body: buffer.subarray(0, size), truncated: false };
};
