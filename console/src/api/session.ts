import { queryOptions, useQuery } from '@tanstack/react-query';
import { getSession } from '#contracts/agent/sessions.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from './call.ts';
import { isSignedOut } from './errors.ts';
import { keys, queryClient } from './queries.ts';

export type Session = ResponseOf<typeof getSession>;

/** Who is signed in; `null` is nobody. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: keys.session,
  queryFn: async () => {
    try {
      return await call(getSession, { query: {}, body: {} });
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
  staleTime: 5 * 60_000,
});

/** For what is shown to signed-in agents only. */
export const useSession = (): Session => {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('Nobody is signed in');
  return data;
};

/** May change how the account works. */
export const isAdministrator = ({ permission }: Pick<Session, 'permission'>): boolean => permission !== 'normal';

export const forgetSession = (): void => {
  queryClient.setQueryData(keys.session, null);
};
