import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { isSignedOut, isTransient } from './errors.ts';

let onSignedOut = (): void => {};

/** Registers the handler for responses that say the session has ended. */
export const setSignedOutHandler = (handler: () => void): void => {
  onSignedOut = handler;
};

const checkSession = (error: unknown): void => {
  if (isSignedOut(error)) onSignedOut();
};

const MAX_RETRIES = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => query.meta?.mayBeSignedOut !== true && checkSession(error) }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < MAX_RETRIES && isTransient(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, onError: checkSession },
  },
});

/** Fetches queries again whose data has changed on the server. */
export const refetch = (...queryKeys: QueryKey[]): Promise<unknown> =>
  Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** The first element of a key names the data; pages append their own parts. */
export const keys = {
  session: ['session'] as const,
  agents: ['agents'] as const,
  groups: ['groups'] as const,
  tags: ['tags'] as const,
  cannedResponses: (group: number) => ['canned-responses', group] as const,
  customer: (id: string) => ['customer', id] as const,
  threads: (chatId: string) => ['threads', chatId] as const,
  assignments: (chatId: string) => ['assignments', chatId] as const,
  visitors: ['visitors'] as const,
  archives: ['archives'] as const,
  tickets: ['tickets'] as const,
  reports: ['reports'] as const,
};
