import { requestBytes, runLoad } from './http-load.ts';

/** Runs the load in a separate process, so that it does not use the server's CPU time. */
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
