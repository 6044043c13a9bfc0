import type { LoginAnswer, LoginPayload } from '#contracts/agent/login.ts';
import type { DisconnectReason, FrameError, Push, ResponseFrame } from '#contracts/chat/frames.ts';
import { waitBeforeTry } from './backoff.ts';

/** `refused`: there is no session, or no licence; nothing but a person can change that. */
export type LinkState = 'idle' | 'connecting' | 'open' | 'waiting' | 'refused';

export interface ConnectionOptions {
  url: string;
  login(isAgain: boolean): LoginPayload;
  onWelcome(answer: LoginAnswer): void;
  onPush(push: Push): void;
  onState(state: LinkState, reason?: string): void;
}

export interface Connection {
  start(): void;
  /** Tries at once, and finds out whether a link that seems open still is: after sleep, after a change of networks. */
  poke(): void;
  stop(): void;
}

const PING_EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 8_000;

/** Reasons that come back however often one tries. */
const FINAL: ReadonlySet<DisconnectReason> = new Set([
  'access_token_expired',
  'access_token_revoked',
  'license_not_found',
  'logged_out_remotely',
]);

const REFUSALS: ReadonlySet<string> = new Set(['authentication', 'authorization', 'license_not_found']);

type Frame = ResponseFrame | ({ type: 'push' } & Push);

/** One socket that is always there, or on its way to be. */
export const openConnection = ({ url, login, onWelcome, onPush, onState }: ConnectionOptions): Connection => {
  let socket: WebSocket | undefined;
  let failures = 0;
  let welcomed = false;
  let everWelcomed = false;
  let nextTry: ReturnType<typeof setTimeout> | undefined;
  let pinging: ReturnType<typeof setInterval> | undefined;
  let unanswered: ReturnType<typeof setTimeout> | undefined;

  const quit = (): void => {
    clearTimeout(nextTry);
    nextTry = undefined;
    clearInterval(pinging);
    clearTimeout(unanswered);
    unanswered = undefined;
    const old = socket;
    socket = undefined;
    welcomed = false;
    old?.close();
  };

  const refuse = (reason: string): void => {
    quit();
    onState('refused', reason);
  };

  const lose = (): void => {
    quit();
    nextTry = setTimeout(connect, waitBeforeTry(failures++));
    onState('waiting');
  };

  const send = (action: string, payload: object = {}): void =>
    socket?.send(JSON.stringify({ action, payload, request_id: action }));

  /** Whatever comes shows that the other side is there; nothing within the time shows that it is not. */
  const expectAnswer = (): void => {
    unanswered ??= setTimeout(lose, ANSWER_WITHIN_MS);
  };

  const ping = (): void => {
    if (!welcomed) return;
    send('ping');
    expectAnswer();
  };

  const welcome = (frame: ResponseFrame): void => {
    if (!frame.success) {
      const { type } = (frame.payload as FrameError).error;
      if (REFUSALS.has(type)) refuse(type);
      else lose();
      return;
    }
    welcomed = true;
    everWelcomed = true;
    failures = 0;
    onState('open');
    onWelcome(frame.payload as LoginAnswer);
  };

  const take = (text: string): void => {
    clearTimeout(unanswered);
    unanswered = undefined;
    const frame = JSON.parse(text) as Frame;
    if (frame.type === 'response') {
      if (frame.action === 'login') welcome(frame);
      return;
    }
    if (frame.action === 'agent_disconnected' && FINAL.has(frame.payload.reason)) refuse(frame.payload.reason);
    else onPush(frame);
  };

  const connect = (): void => {
    quit();
    onState('connecting');
    const opened = new WebSocket(url);
    socket = opened;
    const isCurrent = (): boolean => socket === opened;
    opened.onopen = () => isCurrent() && send('login', login(everWelcomed));
    opened.onmessage = ({ data }) => isCurrent() && take(String(data));
    opened.onclose = () => isCurrent() && lose();
    expectAnswer();
    pinging = setInterval(ping, PING_EVERY_MS);
  };

  return {
    start: () => {
      if (!socket) connect();
    },
    poke: () => {
      if (welcomed) ping();
      else if (nextTry !== undefined && !socket) connect();
    },
    stop: () => {
      quit();
      // Whoever comes next begins anew: only who was here a moment ago comes back to the status it had.
      everWelcomed = false;
      failures = 0;
      onState('idle');
    },
  };
};
