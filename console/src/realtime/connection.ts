import { createReconnectingSocket } from '#browser/reconnecting-socket.ts';
import type { LoginPayload, LoginResponse } from '#contracts/agent/login.ts';
import type { DisconnectReason, FrameError, Push, ResponseFrame } from '#contracts/chat/frames.ts';

/** `refused`: there is no session or no license, so reconnecting cannot help. */
export type LinkState = 'idle' | 'connecting' | 'open' | 'refused';

export interface ConnectionOptions {
  url: string;
  login(isReconnect: boolean): LoginPayload;
  onWelcome(answer: LoginResponse): void;
  onPush(push: Push): void;
  onState(state: LinkState): void;
}

export interface Connection {
  start(): void;
  /** Tests the connection or reconnects without delay: after sleep, after a change of networks. */
  check(): void;
  stop(): void;
}

/** Disconnect reasons that reconnecting cannot change. */
const FINAL_REASONS: ReadonlySet<DisconnectReason> = new Set([
  'access_token_expired',
  'access_token_revoked',
  'license_not_found',
  'logged_out_remotely',
]);

const FINAL_ERRORS: ReadonlySet<string> = new Set(['authentication', 'authorization', 'license_not_found']);

type Frame = ResponseFrame | ({ type: 'push' } & Push);

/** The agent's connection to the RTM API, reopened whenever it is lost. */
export const openConnection = ({ url, login, onWelcome, onPush, onState }: ConnectionOptions): Connection => {
  let hasLoggedIn = false;

  const refuse = (): void => {
    socket.stop();
    onState('refused');
  };

  const onLogin = (frame: ResponseFrame): void => {
    if (!frame.success) {
      if (FINAL_ERRORS.has((frame.payload as FrameError).error.type)) refuse();
      else socket.retry();
      return;
    }
    hasLoggedIn = true;
    socket.markReady();
    onState('open');
    onWelcome(frame.payload as LoginResponse);
  };

  const socket = createReconnectingSocket<Frame>({
    url,
    onOpen: () => socket.send({ request_id: 'login', action: 'login', payload: login(hasLoggedIn) }),
    onFrame: (frame) => {
      if (frame.type === 'response') {
        if (frame.action === 'login') onLogin(frame);
      } else if (frame.action === 'agent_disconnected' && FINAL_REASONS.has(frame.payload.reason)) refuse();
      else onPush(frame);
    },
    onConnecting: () => onState('connecting'),
  });

  return {
    start: socket.start,
    check: socket.check,
    stop: () => {
      socket.stop();
      // The next login is a new session: only a reconnect restores the agent's earlier status.
      hasLoggedIn = false;
      onState('idle');
    },
  };
};
