import { join } from 'node:path';
import { isRunningNodeNewEnough, prepare, root } from './prepare.mjs';
import { runNode } from './run-node.mjs';

const node = await prepare({ log: console.log });

if (process.env.npm_lifecycle_event) stopWithParent();
if (isRunningNodeNewEnough()) await import('../server/main.ts');
else process.exitCode = await runNode(node, [join(root, 'server', 'main.ts')]);

// A killed npm, or the shell it puts between us, passes no signal on: the server would stay without anyone knowing.
function stopWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
