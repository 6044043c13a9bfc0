import { requestBytes, runLoad } from './http-load.ts';

/** The load comes from a process of its own, so that it does not take the server's time. */
export interface LoadTask {
  requests: { url: string; headers: Record<string, string>; body: string; method?: 'GET' | 'POST' }[];
  warmUpSeconds: number;
  seconds: number;
}

let input = '';
for await (const chunk of process.stdin) input += String(chunk);
const task = JSON.parse(input) as LoadTask;
const requests = task.requests.map(({ url, headers, body, method }) =>
  requestBytes(new URL(url), headers, body, method),
);
const result = await runLoad(new URL(task.requests[0]!.url), requests, task.warmUpSeconds, task.seconds);
process.stdout.write(JSON.stringify(result));
