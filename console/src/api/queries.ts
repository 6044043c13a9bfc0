import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing, isSignedOut } from './errors.ts';

let onSignedOut = (): void => {};

/** Registers the handler for responses that say the session has ended. */
export const whenSignedOut = (then: () => void): void => {
  onSignedOut = then;
};

const lookAt = (error: unknown): void => {
  if (isSignedOut(error)) onSignedOut();
};

const MOST_TRIES = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => query.meta?.mayBeSignedOut !== true && lookAt(error) }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < MOST_TRIES && isPassing(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, onError: lookAt },
  },
});

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
