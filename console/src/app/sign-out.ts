import { signOut } from '#contracts/oauth/index.ts';
import { call } from '../api/call.ts';
import { keys, queryClient } from '../api/queries.ts';
import { forgetSession, type Session } from '../api/session.ts';
import { disconnectLive } from '../realtime/live.ts';
import { navigation } from './navigation.ts';

/** Login of the agent whose session ended on this page. */
let previousLogin: string | undefined;

export const isDifferentAgent = ({ login }: Pick<Session, 'login'>): boolean =>
  previousLogin !== undefined && previousLogin !== login;

/** Clears cached data after leaving the page, so the next agent in this browser cannot see it. */
export const goToSignIn = async (back: string | undefined): Promise<void> => {
  disconnectLive();
  previousLogin = queryClient.getQueryData<Session | null>(keys.session)?.login ?? previousLogin;
  await navigation().navigate({ to: '/sign-in', search: { back } });
  queryClient.clear();
  forgetSession();
};

export const leaveConsole = async (): Promise<void> => {
  await call(signOut, {});
  // Replacing the page clears everything in memory.
  location.replace('/console/sign-in');
};
