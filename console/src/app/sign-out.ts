import { signOut } from '#contracts/oauth/index.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/queries.ts';
import { forgetSession } from '../api/session.ts';
import { leaveLive } from '../realtime/live.ts';
import { router } from './router.tsx';

/** What one agent saw, the next one at this browser must not. It is forgotten when nothing shows it any more. */
export const goToSignIn = async (back: string | undefined): Promise<void> => {
  leaveLive();
  await router.navigate({ to: '/sign-in', search: { back } });
  queryClient.clear();
  forgetSession();
};

export const leaveConsole = async (): Promise<void> => {
  await call(signOut, {});
  await goToSignIn(undefined);
};
