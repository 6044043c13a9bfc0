import module from 'node:module';
import { join } from 'node:path';
import { isRunningNodeNewEnough, prepare, root } from './prepare.mjs';
import { compileCache, runNode } from './run-node.mjs';

const node = await prepare({ log: console.log });

if (process.env.npm_lifecycle_event) stopWithParent();
if (isRunningNodeNewEnough()) {
  module.enableCompileCache(compileCache);
  await import('../server/main.ts');
} else {
  process.exitCode = await runNode(node, [join(root, 'server', 'main.ts')]);
}

// npm and the shell that it starts do not forward signals when they are killed. Without this check the server would keep running.
function stopWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
