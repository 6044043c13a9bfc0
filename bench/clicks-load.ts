import { connect, type Socket } from 'node:net';
import { newVisitorId } from '#server/domain/partners/clicks/visitor-id.ts';

/** Simulates visitors who each click a short link once, in a separate process. */
export interface ClicksTask {
  url: string;
  codes: string[];
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  /** Whether the result lists the redirected visitors. */
  recordsVisitors: boolean;
}

export interface ClicksResult {
  /** All redirects, including the warm-up. */
  redirects: number;
  failures: number;
  /** Redirects within the measured time. */
  latencies: number[];
  seconds: number;
  /** The visitor and the time of every redirect. */
  visitors: [string, number][];
}

const BROWSERS = ['142.0.0.0', '141.0.0.0', '140.0.0.0', '139.0.0.0'].map(
  (version) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`,
);
/** Old enough that visitors are identified by their cookies. */
const COOKIE_CREATED_AT = new Date(Date.now() - 24 * 3_600_000);
const END = '\r\n\r\n';
const STATUS_OFFSET = 9;

const drive = (task: ClicksTask, result: ClicksResult, measureFrom: number, end: number): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port, host } = new URL(task.url);
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let sentAt = 0;
    let visitor = '';
    let response = '';
    const send = (): void => {
      const code = task.codes[Math.floor(Math.random() * task.codes.length)]!;
      const browser = BROWSERS[Math.floor(Math.random() * BROWSERS.length)]!;
      visitor = newVisitorId(COOKIE_CREATED_AT);
      sentAt = performance.now();
      socket.write(
        `GET /go/${code} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${browser}\r\nAccept: text/html,*/*;q=0.8\r\n` +
          `Referer: https://blog.example/post\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n` +
          `Cookie: parley_visitor=${visitor}${END}`,
      );
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    // Killing the server breaks its connections; earlier responses count.
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      response += chunk;
      if (!response.endsWith(END)) return;
      const now = performance.now();
      if (response.slice(STATUS_OFFSET, STATUS_OFFSET + 3) === '302') {
        result.redirects += 1;
        if (task.recordsVisitors) result.visitors.push([visitor, Date.now()]);
      } else result.failures += 1;
      if (now >= measureFrom && now < end) result.latencies.push(now - sentAt);
      response = '';
      if (now < end) send();
      else socket.destroy();
    });
  });

let input = '';
for await (const chunk of process.stdin) input += String(chunk);
const task = JSON.parse(input) as ClicksTask;
const { seconds } = task;
const result: ClicksResult = { redirects: 0, failures: 0, latencies: [], seconds, visitors: [] };
const measureFrom = performance.now() + task.warmUpSeconds * 1000;
const end = measureFrom + seconds * 1000;
await Promise.all(Array.from({ length: task.connections }, () => drive(task, result, measureFrom, end)));
process.stdout.write(JSON.stringify(result));
