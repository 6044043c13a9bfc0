import { reconnectDelay } from './reconnect-delay.ts';

const PING_INTERVAL_MS = 20_000;
const RESPONSE_TIMEOUT_MS = 8_000;

interface SocketOptions<Frame> {
  url: string;
  /** Runs before each attempt. `false` cancels the attempt; `check` or a retry starts another one. */
  prepare?(): Promise<boolean>;
  /** The client logs in here and calls `markReady` once the server has accepted it. */
  onOpen(): void;
  onFrame(frame: Frame): void;
  /** There is no connection: after the start, and whenever it is lost until the next attempt succeeds. */
  onConnecting(): void;
}

export interface ReconnectingSocket {
  start(): void;
  /** Returns whether the frame was handed to an open socket. */
  send(frame: object): boolean;
  markReady(): void;
  /** Closes the connection and tries again after a delay. */
  retry(): void;
  /** Reconnects without delay, or tests a connection that may have died unnoticed, for example during sleep. */
  check(): void;
  stop(): void;
}

/** A WebSocket that reconnects with backoff and detects dead connections by pinging. */
export const createReconnectingSocket = <Frame>(options: SocketOptions<Frame>): ReconnectingSocket => {
  const { url, prepare, onOpen, onFrame, onConnecting } = options;
  let state: 'stopped' | 'waiting' | 'connecting' | 'ready' = 'stopped';
  let socket: WebSocket | undefined;
  let attempts = 0;
  let failures = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let pingTimer: ReturnType<typeof setInterval> | undefined;
  let responseTimer: ReturnType<typeof setTimeout> | undefined;

  const close = (next: typeof state): void => {
    clearTimeout(retryTimer);
    clearInterval(pingTimer);
    clearTimeout(responseTimer);
    responseTimer = undefined;
    state = next;
    const closed = socket;
    socket = undefined;
    closed?.close();
  };

  const retry = (): void => {
    close('waiting');
    retryTimer = setTimeout(connect, reconnectDelay(failures++));
    onConnecting();
  };

  const expectFrame = (): void => {
    responseTimer ??= setTimeout(retry, RESPONSE_TIMEOUT_MS);
  };

  const send = (frame: object): boolean => {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(frame));
    return true;
  };

  const ping = (): void => {
    send({ request_id: 'ping', action: 'ping', payload: {} });
    expectFrame();
  };

  const connect = async (): Promise<void> => {
    close('connecting');
    const attempt = ++attempts;
    const isPrepared = !prepare || (await prepare());
    if (attempt !== attempts || state !== 'connecting') return;
    if (!isPrepared) return close('waiting');
    const opened = new WebSocket(url);
    socket = opened;
    opened.onopen = () => socket === opened && onOpen();
    opened.onclose = () => socket === opened && retry();
    opened.onmessage = ({ data }) => {
      if (socket !== opened) return;
      clearTimeout(responseTimer);
      responseTimer = undefined;
      onFrame(JSON.parse(data));
    };
    expectFrame();
  };

  return {
    send,
    retry,
    start: () => {
      if (state !== 'stopped') return;
      void connect();
      onConnecting();
    },
    markReady: () => {
      state = 'ready';
      failures = 0;
      pingTimer = setInterval(ping, PING_INTERVAL_MS);
    },
    check: () => {
      failures = 0;
      if (state === 'ready') ping();
      else if (state === 'waiting') void connect();
    },
    stop: () => {
      failures = 0;
      close('stopped');
    },
  };
};
