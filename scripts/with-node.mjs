// Usage: with-node.mjs <file.ts> [args]  or  with-node.mjs --bin <name> [args]
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { runNode } from './run-node.mjs';

const node = await prepare({ log: console.error });
const args = process.argv.slice(2);
if (args[0] === '--bin') args.splice(0, 2, join(root, 'node_modules', '.bin', args[1]));
process.exitCode = await runNode(node, args);
