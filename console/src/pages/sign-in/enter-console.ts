import { getSession } from '#contracts/agent/sessions.ts';
import { CallFailedError } from '#contracts/client.ts';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { navigation } from '../../app/navigation.ts';
import { isDifferentAgent } from '../../app/sign-out.ts';

/** Only paths of the console, to prevent open redirects. */
const isOwnPath = (path: string | undefined): path is string =>
  path !== undefined && /^\/console(\/(?![/\\])|$)/.test(path);

/** Enters the console after signing in, at the page the agent came from. */
export const enterConsole = async (back: string | undefined): Promise<void> => {
  const session = await call(getSession, { body: {} });
  // Reloading discards drafts of the previous agent.
  if (isDifferentAgent(session)) return location.replace(isOwnPath(back) ? back : '/console/chats');
  queryClient.setQueryData(keys.session, session);
  if (isOwnPath(back)) navigation().history.replace(back);
  else await navigation().navigate({ to: '/chats', replace: true });
};

/** Before sign-in, `401` means wrong credentials and `404` an expired link. */
export const describeSignInError = (error: unknown, wrong?: string): string =>
  wrong !== undefined && error instanceof CallFailedError && (error.status === 401 || error.status === 404)
    ? wrong
    : describeError(error);
