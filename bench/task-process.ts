import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a script of this folder as a process of its own: a task in as JSON, a result out as JSON. */
export const runTask = <Task, Result>(script: string, task: Task): Promise<Result> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(output) as Result) : reject(new Error(`${script} ended with ${code}`)),
    );
    child.stdin.end(JSON.stringify(task));
  });
