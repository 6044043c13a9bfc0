import { connect, type Socket } from 'node:net';

/** Each connection is kept alive and has one request in flight. The client is minimal, so that the server is the bottleneck. */
export interface LoadResult {
  requests: number;
  failures: number;
  seconds: number;
  /** Milliseconds, unsorted. */
  latencies: number[];
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

const responseLength = (buffer: Buffer): number | undefined => {
  const head = buffer.indexOf(END_OF_HEAD);
  if (head === -1) return undefined;
  const length = /content-length: (\d+)/i.exec(buffer.toString('latin1', 0, head))?.[1];
  const total = head + END_OF_HEAD.length + Number(length ?? 0);
  return buffer.length >= total ? total : undefined;
};

export const requestBytes = (url: URL, headers: Record<string, string>, body: string, method = 'POST'): Buffer =>
  Buffer.from(
    `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n${body}`,
  );

/** Repeats the request of each connection until the time is over. */
export const runLoad = async (
  url: URL,
  requests: Buffer[],
  warmUpSeconds: number,
  seconds: number,
): Promise<LoadResult> => {
  const latencies: number[] = [];
  let failures = 0;
  const measureFrom = performance.now() + warmUpSeconds * 1000;
  const end = measureFrom + seconds * 1000;
  const drive = (request: Buffer) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      let pending: Buffer = Buffer.alloc(0);
      const socket: Socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
      const send = (): void => {
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const length = responseLength(pending);
        if (length === undefined) return;
        const now = performance.now();
        if (now >= measureFrom) latencies.push(now - sentAt);
        if (pending.toString('latin1', 9, 12) !== '200') failures++;
        pending = pending.subarray(length);
        if (now < end) send();
        else {
          socket.destroy();
          resolve();
        }
      });
    });
  await Promise.all(requests.map(drive));
  return { requests: latencies.length, failures, seconds, latencies };
};

export const percentile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
