import type { LoginAnswer } from '#contracts/customer/login.ts';
import type { Connection, LinkState, Options, Push, WireError } from '../core.ts';
import { createTokens } from './token.ts';

export interface Heard {
  onLogin(answer: LoginAnswer): void;
  onPush(push: Push): void;
  onLink(state: LinkState): void;
}

interface Frame {
  request_id?: string;
  type: string;
  action: string;
  success?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: what it holds depends on the action.
  payload: any;
}

interface Waiting {
  resolve(payload: Frame['payload']): void;
  reject(error: WireError): void;
}

const QUIET_MS = 20_000;
const PATIENCE_MS = 8_000;
const LONGEST_PAUSE_MS = 15_000;
/** Nothing that another try would change. */
const FINAL = /banned|license|product_version|forbidden|access_denied|resource_not_found/;
const LOST: WireError = { type: 'connection_lost', message: '' };

/** One socket that is opened again whenever it ends. Whoever listens reads again after each login. */
export const connect = (options: Options, heard: Heard): Connection => {
  const tokens = createTokens(options);
  const url = `${options.base.replace(/^http/, 'ws')}v3.5/customer/rtm/ws?organization_id=${options.organizationId}`;
  const waiting = new Map<string, Waiting>();
  /** Of each kind only the last counts. */
  const postponed = new Map<string, object>();
  const ended = new AbortController();
  const isOver = (): boolean => link === 'refused';
  let socket: WebSocket | undefined;
  let answer: LoginAnswer | undefined;
  let token: string | undefined;
  let link: LinkState = 'connecting';
  let failures = 0;
  let requests = 0;
  let heardAt = 0;
  let pinged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let page = '';
  /** Too many tabs: wait until somebody looks at this one. */
  let resting = false;

  const become = (state: LinkState): void => {
    if (link === state) return;
    link = state;
    heard.onLink(state);
  };

  const transmit = <Answer>(action: string, payload: object = {}): Promise<Answer> =>
    new Promise<Answer>((resolve, reject) => {
      if (socket?.readyState !== WebSocket.OPEN) return reject(LOST);
      const id = String(++requests);
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ request_id: id, action, payload }));
    });

  const request: Connection['request'] = (action, payload) =>
    link === 'online' ? transmit(action, payload) : Promise.reject(LOST);

  const whereAmI = () => {
    page = location.href;
    return { url: page.slice(0, 4096), title: document.title.slice(0, 1000) };
  };

  const stop = (): void => {
    become('refused');
    clearInterval(ticking);
    ended.abort();
    lose();
  };

  const lose = (): void => {
    const old = socket;
    socket = undefined;
    old?.close();
    for (const { reject } of waiting.values()) reject(LOST);
    waiting.clear();
    if (link === 'refused') return;
    become('connecting');
    clearTimeout(timer);
    const pause = Math.min(LONGEST_PAUSE_MS, 400 * 2 ** failures++) * (0.5 + Math.random() / 2);
    if (!resting) timer = setTimeout(open, pause);
  };

  const fail = ({ type }: WireError): void => {
    if (/authentication|token/.test(type)) tokens.drop(token);
    if (FINAL.test(type)) stop();
    else lose();
  };

  const dismiss = (reason: string): void => {
    resting = reason === 'too_many_connections' && document.hidden;
    fail({ type: reason, message: '' });
  };

  const take = ({ request_id: id = '', type, action, success, payload }: Frame): void => {
    if (type === 'push') {
      if (action === 'customer_disconnected') dismiss(payload.reason);
      else heard.onPush({ action, payload });
      return;
    }
    const asked = waiting.get(id);
    waiting.delete(id);
    if (success) asked?.resolve(payload);
    else asked?.reject(payload.error);
  };

  const greet = async (): Promise<void> => {
    const login = { token: `Bearer ${token}`, customer_page: whereAmI(), group_id: options.groupId };
    try {
      answer = await transmit<LoginAnswer>('login', { ...login, referrer: document.referrer.slice(0, 4096) });
    } catch (error) {
      return fail(error as WireError);
    }
    failures = 0;
    link = 'online';
    heard.onLogin(answer);
    heard.onLink(link);
    const left = [...postponed];
    postponed.clear();
    for (const [action, payload] of left) later(action, payload);
  };

  const open = async (): Promise<void> => {
    clearTimeout(timer);
    if (socket || isOver()) return;
    try {
      token = await tokens.get();
    } catch (error) {
      return fail((error as WireError).type ? (error as WireError) : LOST);
    }
    if (socket || isOver()) return;
    const opened = new WebSocket(url);
    socket = opened;
    pinged = false;
    heardAt = Date.now();
    opened.onopen = greet;
    opened.onmessage = ({ data }) => {
      heardAt = Date.now();
      pinged = false;
      if (socket === opened) take(JSON.parse(data));
    };
    opened.onclose = () => socket === opened && lose();
  };

  const later: Connection['later'] = (action, payload) => {
    request(action, payload).catch(({ type }: WireError) => {
      if (type === LOST.type) postponed.set(action, payload);
    });
  };

  /** A link can be dead without anybody saying so: after a sleep, or behind a router that forgot it. */
  const look = (soon?: boolean): void => {
    const quiet = Date.now() - heardAt;
    if (!socket && soon) void open();
    else if (link !== 'online') socket && quiet > PATIENCE_MS && lose();
    else if (pinged && quiet > QUIET_MS + PATIENCE_MS) lose();
    else if (!pinged && (soon || quiet > QUIET_MS)) {
      pinged = true;
      heardAt = Date.now() - QUIET_MS;
      transmit('ping').catch(() => {});
    } else if (location.href !== page) transmit('update_customer_page', whereAmI()).catch(() => {});
  };

  const wake = (): void => {
    if (document.hidden) return;
    resting = false;
    failures = 0;
    look(true);
  };

  const ticking = setInterval(look, 1000);
  for (const event of ['online', 'pageshow', 'focus']) addEventListener(event, wake, ended);
  document.addEventListener('visibilitychange', wake, ended);
  void open();
  return { request, later, getToken: tokens.get, state: () => link, login: () => answer, stop };
};
