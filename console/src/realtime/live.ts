import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { LoginResponse } from '#contracts/agent/login.ts';
import type { Push } from '#contracts/chat/frames.ts';
import { createBatches } from './batches.ts';
import { type LinkState, openConnection } from './connection.ts';

/** `catching_up`: connected again, fetching what happened meanwhile. */
export type LiveStatus = 'offline' | 'connecting' | 'catching_up' | 'live' | 'signed_out';

type PushListener = (batch: Push[]) => void;
type LoginListener = (answer: LoginResponse) => Promise<unknown>;

const pushListeners = new Set<PushListener>();
const welcomeListeners = new Set<LoginListener>();
const statusListeners = new Set<() => void>();
const endListeners = new Set<() => void>();
let status: LiveStatus = 'offline';

const setStatus = (next: LiveStatus): void => {
  if (next === status) return;
  status = next;
  for (const listener of statusListeners) listener();
};

const batches = createBatches<Push>((batch) => {
  for (const listener of pushListeners) listener(batch);
});

/** Number of logins, so that a slow sync cannot end a later one. */
let logins = 0;

const catchUp = async (answer: LoginResponse): Promise<void> => {
  const login = ++logins;
  setStatus('catching_up');
  batches.flush();
  await Promise.allSettled([...welcomeListeners].map((listener) => listener(answer)));
  if (login === logins && status === 'catching_up') setStatus('live');
};

const follow = (state: LinkState): void => {
  if (state === 'idle') setStatus('offline');
  else if (state === 'refused') {
    setStatus('signed_out');
    for (const listener of endListeners) listener();
  } else if (state !== 'open') setStatus('connecting');
};

const socketUrl = (): string => `${location.origin.replace(/^http/, 'ws')}/v3.5/agent/rtm/ws`;

const connection = openConnection({
  url: socketUrl(),
  login: (isReconnect) => ({
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    reconnect: isReconnect,
    customer_monitoring_level: 'online',
    application: { name: 'console' },
  }),
  onWelcome: (answer) => void catchUp(answer),
  onPush: batches.add,
  onState: follow,
});

const check = (): void => connection.check();

export const connectLive = (): void => {
  addEventListener('online', check);
  addEventListener('pageshow', check);
  document.addEventListener('visibilitychange', check);
  connection.start();
};

export const disconnectLive = (): void => {
  removeEventListener('online', check);
  removeEventListener('pageshow', check);
  document.removeEventListener('visibilitychange', check);
  connection.stop();
};

const addTo =
  <T>(set: Set<T>) =>
  (one: T): (() => void) => {
    set.add(one);
    return () => set.delete(one);
  };

/** Pushes arrive in batches, at most one per frame. */
export const onPushes = addTo(pushListeners);
/** Runs after every login, including the first; the status stays `catching_up` until all have finished. */
export const onLogin = addTo(welcomeListeners);
/** Called when the session has ended. */
export const onSessionEnded = addTo(endListeners);
const onStatus = addTo(statusListeners);

export const useLiveStatus = (): LiveStatus => useSyncExternalStore(onStatus, () => status);

/** Subscribes while the component is mounted. */
export const usePushes = (listener: PushListener): void => {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => onPushes((batch) => latest.current(batch)), []);
};
