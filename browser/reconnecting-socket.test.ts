import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reconnectDelay } from './reconnect-delay.ts';
import { createReconnectingSocket } from './reconnecting-socket.ts';

class FakeSocket {
  static readonly OPEN = 1;
  static opened: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen = (): void => {};
  onclose = (): void => {};
  onmessage = (_: { data: string }): void => {};
  constructor() {
    FakeSocket.opened.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  accept(): void {
    this.readyState = 1;
    this.onopen();
  }
}

const sockets = FakeSocket.opened;
const handlers = { onOpen: vi.fn(), onFrame: vi.fn(), onConnecting: vi.fn() };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  sockets.length = 0;
  vi.clearAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = async (prepare?: () => Promise<boolean>) => {
  const socket = createReconnectingSocket({ url: 'ws://server.test', ...handlers, ...(prepare ? { prepare } : {}) });
  socket.start();
  await vi.advanceTimersByTimeAsync(0);
  handlers.onConnecting.mockClear();
  return socket;
};

const openReady = async () => {
  const socket = await open();
  sockets[0]!.accept();
  sockets[0]!.onmessage({ data: '{}' });
  handlers.onFrame.mockClear();
  socket.markReady();
  return socket;
};

it('delivers frames in both directions', async () => {
  const socket = await open();
  expect(socket.send({ action: 'early' })).toBe(false);
  sockets[0]!.accept();
  expect(handlers.onOpen).toHaveBeenCalledOnce();
  expect(socket.send({ action: 'login' })).toBe(true);
  sockets[0]!.onmessage({ data: '{"action":"push"}' });
  expect(sockets[0]!.sent).toEqual(['{"action":"login"}']);
  expect(handlers.onFrame.mock.calls).toEqual([[{ action: 'push' }]]);
});

it('reconnects after the connection closes and ignores the old one', async () => {
  await openReady();
  sockets[0]!.onclose();
  expect(handlers.onConnecting).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(reconnectDelay(0, () => 1));
  expect(sockets).toHaveLength(2);
  sockets[0]!.onmessage({ data: '{}' });
  sockets[0]!.onclose();
  expect(handlers.onFrame).not.toHaveBeenCalled();
  expect(handlers.onConnecting).toHaveBeenCalledOnce();
});

it('reconnects when a ping gets no response', async () => {
  await openReady();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sockets[0]!.sent).toEqual(['{"request_id":"ping","action":"ping","payload":{}}']);
  sockets[0]!.onmessage({ data: '{}' });
  await vi.advanceTimersByTimeAsync(19_000);
  expect(handlers.onConnecting).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(handlers.onConnecting).toHaveBeenCalledOnce();
});

it('reconnects when the server does not answer an attempt', async () => {
  await open();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(handlers.onConnecting).toHaveBeenCalledOnce();
});

it('pings or reconnects without delay when checked', async () => {
  const socket = await openReady();
  socket.check();
  expect(sockets[0]!.sent).toHaveLength(1);
  socket.retry();
  socket.check();
  await vi.advanceTimersByTimeAsync(0);
  expect(sockets).toHaveLength(2);
});

it('opens nothing after it was stopped, also while an attempt is being prepared', async () => {
  let finish = (_: boolean): void => {};
  const socket = await open(() => new Promise((resolve) => (finish = resolve)));
  socket.stop();
  finish(true);
  socket.check();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toEqual([]);
  expect(handlers.onConnecting).not.toHaveBeenCalled();
});

it('waits for a check when the preparation cancels an attempt', async () => {
  const answers = [false, true];
  const socket = await open(async () => answers.shift()!);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toEqual([]);
  socket.check();
  await vi.advanceTimersByTimeAsync(0);
  expect(sockets).toHaveLength(1);
});

it('doubles the delay with each failure up to a maximum', () => {
  expect([0, 1, 2, 10, 99].map((failures) => reconnectDelay(failures, () => 1))).toEqual([
    500, 1000, 2000, 15_000, 15_000,
  ]);
  expect(reconnectDelay(0, () => 0)).toBe(250);
});
