import { queryClient, whenSignedOut } from '../api/queries.ts';
import { onRefused, onWelcome } from '../realtime/live.ts';
import { router } from './router.tsx';
import { goToSignIn } from './sign-out.ts';

/** Several calls may learn of it at once. */
let isEnding = false;

const endSession = async (): Promise<void> => {
  const { pathname, publicHref } = router.state.location;
  if (isEnding || pathname === '/sign-in') return;
  isEnding = true;
  await goToSignIn(publicHref);
  isEnding = false;
};

/** Whichever call or socket learns first that the session has ended, the agent signs in again and comes back to this page. */
export const watchSession = (): void => {
  whenSignedOut(() => void endSession());
  onRefused(() => void endSession());
  // After the first login too: what was read before it may have changed since.
  onWelcome(() => queryClient.invalidateQueries());
};
