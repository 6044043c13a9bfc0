import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a script of this folder in a separate process. The task goes to its standard input and the result comes from its standard output, both as JSON. */
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
      code === 0 ? resolve(JSON.parse(output) as Result) : reject(new Error(`${script} exited with code ${code}`)),
    );
    child.stdin.end(JSON.stringify(task));
  });
