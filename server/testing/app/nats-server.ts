import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const binary = process.env.NATS_SERVER_PATH ?? 'nats-server';

export const hasNatsServer = spawnSync(binary, ['--version']).status === 0;
if (!hasNatsServer) console.warn('NATS tests skipped: nats-server is not installed');

/** Starts a NATS server on a free loopback port. `settings` are lines for its configuration file. */
export const startNatsServer = async (settings = '') => {
  const port = await findFreePort();
  const directory = await mkdtemp(join(tmpdir(), 'nats-'));
  const config = join(directory, 'nats.conf');
  await writeFile(config, `listen: "127.0.0.1:${port}"\n${settings}\n`);
  let server = await launch(config);

  const stop = () => end(server);
  return {
    url: `nats://127.0.0.1:${port}`,
    stop,
    /** Suspends the process with all connections open until `resume`. */
    pause: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    async restart() {
      await stop();
      server = await launch(config);
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true });
    },
  };
};

const launch = (config: string) =>
  new Promise<ChildProcess>((resolve, reject) => {
    const server = spawn(binary, ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Server is ready')) resolve(server);
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`nats-server exited: ${output}`)));
  });

const end = async (server: ChildProcess) => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await exit;
};

const findFreePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
