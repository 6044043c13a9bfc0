import { signOut } from '#contracts/oauth/index.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/queries.ts';
import { forgetSession } from '../api/session.ts';
import { leaveLive } from '../realtime/live.ts';
import { router } from './router.tsx';

export const leaveConsole = async (): Promise<void> => {
  await call(signOut, {});
  leaveLive();
  queryClient.clear();
  forgetSession();
  await router.navigate({ to: '/sign-in', search: {} });
};
