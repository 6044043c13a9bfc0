const benchmarks: Record<string, () => Promise<{ run(): Promise<void> }>> = {
  'send-event': () => import('./send-event.ts'),
  customer: () => import('./customer.ts'),
  sockets: () => import('./sockets.ts'),
  rtm: () => import('./rtm.ts'),
  routing: () => import('./routing.ts'),
  visitors: () => import('./visitors.ts'),
  ops: () => import('./ops.ts'),
  partner: () => import('./partner.ts'),
  clicks: () => import('./clicks.ts'),
  widget: () => import('./widget.ts'),
  console: () => import('./console.ts'),
  start: () => import('./start.ts'),
  crash: () => import('./crash.ts'),
};

const name = process.argv[2] ?? '';
const load = benchmarks[name];
if (!load) {
  console.error(`Usage: npm run bench -- <${Object.keys(benchmarks).join(' | ')}>`);
  process.exit(2);
}
await (await load()).run();
