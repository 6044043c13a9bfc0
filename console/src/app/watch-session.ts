import { queryClient, whenSignedOut } from '../api/queries.ts';
import { forgetSession } from '../api/session.ts';
import { leaveLive, onRefused, onWelcome } from '../realtime/live.ts';
import { router } from './router.tsx';

/** What one agent saw, the next one at this browser must not. */
const endSession = (): void => {
  const { pathname, publicHref } = router.state.location;
  if (pathname === '/sign-in') return;
  leaveLive();
  queryClient.clear();
  forgetSession();
  void router.navigate({ to: '/sign-in', search: { back: publicHref } });
};

/** Whichever call or socket learns first that the session has ended, the agent signs in again and comes back to this page. */
export const watchSession = (): void => {
  whenSignedOut(endSession);
  onRefused(endSession);
  // After the first login too: what was read before it may have changed since.
  onWelcome(() => queryClient.invalidateQueries());
};
