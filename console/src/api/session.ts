import { queryOptions, useQuery } from '@tanstack/react-query';
import { getSession } from '#contracts/agent/sessions.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from './call.ts';
import { isSignedOut } from './errors.ts';
import { keys, queryClient } from './queries.ts';

export type Session = ResponseOf<typeof getSession>;

/** The signed-in agent, or `null`. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: keys.session,
  queryFn: async () => {
    try {
      return await call(getSession, { body: {} });
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
  staleTime: 5 * 60_000,
});

/** For components that render only when an agent is signed in. */
export const useSession = (): Session => {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Not signed in');
  return data;
};

/** Owners and administrators. */
export const isAdministrator = ({ permission }: Pick<Session, 'permission'>): boolean => permission !== 'normal';

export const forgetSession = (): void => {
  queryClient.setQueryData(keys.session, null);
};
