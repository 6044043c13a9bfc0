type Listener = (data: unknown) => void;
type Methods = Record<string, (...args: never[]) => void>;

export interface Api {
  call(method: string, ...args: unknown[]): void;
  get(what: string): unknown;
  on(event: string, listener: Listener): void;
  once(event: string, listener: Listener): void;
  off(event: string, listener: Listener): void;
}

export interface ApiService {
  emit(event: string, data: unknown): void;
  /** Executes queued calls and from now on each call immediately. */
  serve(methods: Methods, get: Api['get']): void;
}

type ApiCall = [verb: keyof Api, ...args: unknown[]];

interface PageGlobals {
  ParleyWidget?: unknown;
  LiveChatWidget?: { _q?: [keyof Api, unknown[]][] };
}

/** The JavaScript API for the page. */
export const exposeApi = (): ApiService => {
  const listeners = new Map<string, Set<Listener>>();
  const waiting: ApiCall[] = [];
  let ready: [unknown] | undefined;
  let methods: Methods | undefined;
  let read: Api['get'] = () => undefined;
  const off: Api['off'] = (event, listener) => void listeners.get(event)?.delete(listener);
  const on: Api['on'] = (event, listener) => {
    listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    // Late listeners also receive `ready`.
    if (ready && event === 'ready') listener(ready[0]);
  };
  const api: Api = {
    call: (method, ...args) => {
      if (methods) methods[method]?.(...(args as never[]));
      else waiting.push(['call', method, ...args]);
    },
    get: (what) => read(what),
    on,
    off,
    once: (event, listener) => {
      const first: Listener = (data) => {
        off(event, first);
        listener(data);
      };
      on(event, first);
    },
  };
  const execute = ([verb, ...args]: ApiCall): unknown => (api[verb] as (...all: unknown[]) => unknown)(...args);

  // Calls made before this script was loaded are queued in an array or in the stub of the other product's snippet.
  const globals = window as unknown as PageGlobals;
  const { ParleyWidget: early, LiveChatWidget: other } = globals;
  globals.ParleyWidget = api;
  if (!other || other._q) globals.LiveChatWidget = api as PageGlobals['LiveChatWidget'];
  if (Array.isArray(early)) early.forEach(execute);
  for (const [verb, args] of other?._q ?? []) execute([verb, ...args]);

  return {
    emit: (event, data) => {
      if (event === 'ready') ready = [data];
      // A microtask each, so that a throwing listener affects neither the others nor the widget.
      for (const listener of listeners.get(event) ?? []) queueMicrotask(() => listener(data));
    },
    serve: (served, get) => {
      methods = served;
      read = get;
      waiting.forEach(execute);
    },
  };
};
