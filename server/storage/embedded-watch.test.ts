import { expect, it } from 'vitest';
import { keepRunning, type Running } from './embedded-watch.ts';

const server = { pid: 1, socketDir: '/run', port: 5432, status: 'ready' };
const endingWith = (ended: Promise<string>): Running => ({ server, ended: () => ended });
const running = endingWith(new Promise(() => {}));

it('restarts the server a few times, reports each attempt, and then gives up', async () => {
  const said: string[] = [];
  const { promise: lost, resolve } = Promise.withResolvers<Error>();
  keepRunning({
    first: endingWith(Promise.resolve('it ended with SIGKILL')),
    launchAgain: async () => {
      throw new Error('the disk is full');
    },
    print: (line) => said.push(line),
    onLost: resolve,
    pausesMs: [0, 0],
  });
  expect((await lost).message).toBe('The database stopped and could not be restarted: the disk is full.');
  expect(said).toEqual([
    'Database stopped: it ended with SIGKILL. Restarting …',
    'Database stopped: the disk is full. Restarting …',
  ]);
});

it('gives up on a server that ends repeatedly', async () => {
  const { promise: lost, resolve } = Promise.withResolvers<Error>();
  const ending = endingWith(Promise.resolve('it ended with code 1'));
  keepRunning({
    first: ending,
    launchAgain: async () => ending,
    print: () => {},
    onLost: resolve,
    pausesMs: [0, 0, 0],
  });
  expect((await lost).message).toMatch(/it ended with code 1/);
});

it('starts nothing after it stopped, and returns the server of a restart in progress', async () => {
  const { promise: end, resolve: endIt } = Promise.withResolvers<string>();
  const { promise: launched, resolve: launch } = Promise.withResolvers<Running>();
  const { promise: began, resolve: begin } = Promise.withResolvers<void>();
  const watch = keepRunning({
    first: endingWith(end),
    launchAgain: () => {
      begin();
      return launched;
    },
    print: () => {},
    onLost: () => expect.unreachable(),
    pausesMs: [0],
  });
  endIt('it ended');
  await began;
  const left = watch.leave();
  launch({ ...running, server: { ...server, pid: 2 } });
  expect((await left).pid).toBe(2);
});
