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
  /** From now on calls are done at once; those that came before are done first. */
  serve(methods: Methods, get: Api['get']): void;
}

type Saying = [verb: keyof Api, ...args: unknown[]];

interface Names {
  ParleyWidget?: unknown;
  LiveChatWidget?: { _q?: [keyof Api, unknown[]][] };
}

/** The object that programs of the page use. */
export const offerApi = (): ApiService => {
  const listeners = new Map<string, Set<Listener>>();
  const waiting: Saying[] = [];
  let ready: [unknown] | undefined;
  let methods: Methods | undefined;
  let read: Api['get'] = () => undefined;
  const off: Api['off'] = (event, listener) => void listeners.get(event)?.delete(listener);
  const on: Api['on'] = (event, listener) => {
    listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    // Whoever comes late is told as well.
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
  const say = ([verb, ...args]: Saying): unknown => (api[verb] as (...all: unknown[]) => unknown)(...args);

  // Pages say things before there is anybody to listen: to an array, or to the stub of another snippet.
  const names = window as unknown as Names;
  const { ParleyWidget: early, LiveChatWidget: other } = names;
  names.ParleyWidget = api;
  if (!other || other._q) names.LiveChatWidget = api as Names['LiveChatWidget'];
  if (Array.isArray(early)) early.forEach(say);
  for (const [verb, args] of other?._q ?? []) say([verb, ...args]);

  return {
    emit: (event, data) => {
      if (event === 'ready') ready = [data];
      // One that fails must not keep the others from hearing it, nor stop the widget.
      for (const listener of listeners.get(event) ?? []) queueMicrotask(() => listener(data));
    },
    serve: (served, get) => {
      methods = served;
      read = get;
      waiting.forEach(say);
    },
  };
};
