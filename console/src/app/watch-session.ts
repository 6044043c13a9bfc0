import { queryClient, setSignedOutHandler } from '../api/queries.ts';
import { onLogin, onSessionEnded } from '../realtime/live.ts';
import { router } from './router.tsx';
import { goToSignIn } from './sign-out.ts';

/** Several calls may fail with 401 at the same time. */
let isEnding = false;

const endSession = async (): Promise<void> => {
  const { pathname, publicHref } = router.state.location;
  if (isEnding || pathname === '/sign-in') return;
  isEnding = true;
  await goToSignIn(publicHref);
  isEnding = false;
};

/** When a call or the socket reports that the session has ended, sends the agent to sign-in and back to this page afterwards. */
export const watchSession = (): void => {
  setSignedOutHandler(() => void endSession());
  onSessionEnded(() => void endSession());
  // Also after the first login: data fetched before it may be outdated.
  onLogin(() => queryClient.invalidateQueries());
};
