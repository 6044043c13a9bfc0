import { runCommand } from './dispatch.ts';

// The reader closed the pipe, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  cwd: process.env.INIT_CWD ?? process.cwd(),
  print: (text) => void process.stdout.write(`${text}\n`),
  reportProgress: (line) => void process.stderr.write(`${line}\n`),
  input: process.stdin,
});
