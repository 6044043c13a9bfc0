import { createReconnectingSocket } from '#browser/reconnecting-socket.ts';
import type { LoginResponse } from '#contracts/customer/login.ts';
import type { Connection, LinkState, Options, Push, WireError } from '../core.ts';
import { createTokens } from './tokens.ts';

export interface ConnectionHandlers {
  onLogin(answer: LoginResponse): void;
  onPush(push: Push): void;
  onLink(state: LinkState): void;
}

interface Frame {
  request_id?: string;
  type: string;
  action: string;
  success?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the payload depends on the action.
  payload: any;
}

interface PendingRequest {
  resolve(payload: Frame['payload']): void;
  reject(error: WireError): void;
}

const PAGE_CHECK_INTERVAL_MS = 1000;
/** Errors that reconnecting cannot change. */
const FINAL_ERROR = /banned|license|product_version|forbidden|access_denied|resource_not_found/;
const CONNECTION_LOST: WireError = { type: 'connection_lost', message: '' };

/** The customer's connection to the RTM API. It logs in again after each reconnect. */
export const connect = (options: Options, handlers: ConnectionHandlers): Connection => {
  const tokens = createTokens(options);
  const pending = new Map<string, PendingRequest>();
  /** The latest payload of each action that waits for the next login. */
  const deferred = new Map<string, object>();
  const listeners = new AbortController();
  let answer: LoginResponse | undefined;
  let token: string | undefined;
  let link: LinkState = 'connecting';
  let requestCount = 0;
  let pageUrl = '';
  /** The server allows only so many connections: a hidden tab gives its own up until it is visible again. */
  let isSuspended = false;

  const setLink = (state: LinkState): void => {
    if (link === state) return;
    link = state;
    handlers.onLink(state);
  };

  const transmit = <Answer>(action: string, payload: object = {}): Promise<Answer> =>
    new Promise<Answer>((resolve, reject) => {
      const id = String(++requestCount);
      if (!socket.send({ request_id: id, action, payload })) return reject(CONNECTION_LOST);
      pending.set(id, { resolve, reject });
    });

  const request: Connection['request'] = (action, payload) =>
    link === 'online' ? transmit(action, payload) : Promise.reject(CONNECTION_LOST);

  const rejectPending = (): void => {
    for (const { reject } of pending.values()) reject(CONNECTION_LOST);
    pending.clear();
  };

  const describePage = () => {
    pageUrl = location.href;
    return { url: pageUrl.slice(0, 4096), title: document.title.slice(0, 1000) };
  };

  const stop = (): void => {
    setLink('refused');
    clearInterval(pageTimer);
    listeners.abort();
    socket.stop();
    rejectPending();
  };

  const fail = ({ type }: WireError): void => {
    if (/authentication|token/.test(type)) tokens.drop(token);
    if (FINAL_ERROR.test(type)) stop();
    else socket.retry();
  };

  const onFrame = ({ request_id: id = '', type, action, success, payload }: Frame): void => {
    if (action === 'customer_disconnected') {
      isSuspended = payload.reason === 'too_many_connections' && document.hidden;
      fail({ type: payload.reason, message: '' });
    } else if (type === 'push') {
      handlers.onPush({ action, payload });
    } else {
      const pendingRequest = pending.get(id);
      pending.delete(id);
      if (success) pendingRequest?.resolve(payload);
      else pendingRequest?.reject(payload.error);
    }
  };

  const logIn = async (): Promise<void> => {
    const login = { token: `Bearer ${token}`, customer_page: describePage(), group_id: options.groupId };
    try {
      answer = await transmit<LoginResponse>('login', { ...login, referrer: document.referrer.slice(0, 4096) });
    } catch (error) {
      // A lost connection is already being reopened.
      if (error !== CONNECTION_LOST) fail(error as WireError);
      return;
    }
    socket.markReady();
    link = 'online';
    handlers.onLogin(answer);
    handlers.onLink(link);
    const requests = [...deferred];
    deferred.clear();
    for (const [action, payload] of requests) requestWhenOnline(action, payload);
  };

  const socket = createReconnectingSocket<Frame>({
    url: `${options.base.replace(/^http/, 'ws')}v3.5/customer/rtm/ws?organization_id=${options.organizationId}`,
    prepare: async () => {
      if (isSuspended) return false;
      try {
        token = await tokens.get();
        return true;
      } catch (error) {
        fail((error as WireError).type ? (error as WireError) : CONNECTION_LOST);
        return false;
      }
    },
    onOpen: () => void logIn(),
    onFrame,
    onConnecting: () => {
      rejectPending();
      setLink('connecting');
    },
  });

  const requestWhenOnline: Connection['requestWhenOnline'] = (action, payload) => {
    request(action, payload).catch((error: WireError) => {
      if (error === CONNECTION_LOST) deferred.set(action, payload);
    });
  };

  const onVisible = (): void => {
    if (document.hidden) return;
    isSuspended = false;
    socket.check();
  };

  /** Single-page apps change the URL without loading a page. */
  const pageTimer = setInterval(() => {
    if (location.href !== pageUrl) request('update_customer_page', describePage()).catch(() => {});
  }, PAGE_CHECK_INTERVAL_MS);
  for (const event of ['online', 'pageshow', 'focus']) addEventListener(event, onVisible, listeners);
  document.addEventListener('visibilitychange', onVisible, listeners);
  socket.start();
  return { request, requestWhenOnline, getToken: tokens.get, state: () => link, login: () => answer, stop };
};
