import { getSession } from '#contracts/agent/sessions.ts';
import { CallFailedError } from '#contracts/client.ts';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { router } from '../../app/router.tsx';
import { isAnotherThanBefore } from '../../app/sign-out.ts';

/** Only a path of the console itself: an address from outside could lead anywhere. */
const isOwnPath = (path: string | undefined): path is string =>
  path !== undefined && /^\/console(\/(?![/\\])|$)/.test(path);

/** After signing in: back to where one was. */
export const enterConsole = async (back: string | undefined): Promise<void> => {
  const session = await call(getSession, { query: {}, body: {} });
  // What somebody else had begun to write here is gone with the page.
  if (isAnotherThanBefore(session)) return location.replace(isOwnPath(back) ? back : '/console/chats');
  queryClient.setQueryData(keys.session, session);
  if (isOwnPath(back)) router.history.replace(back);
  else await router.navigate({ to: '/chats', replace: true });
};

/** Before anybody is signed in, `401` means that what was typed is wrong, and `404` that a link is not good any more. */
export const explain = (error: unknown, wrong: string): string =>
  error instanceof CallFailedError && (error.status === 401 || error.status === 404) ? wrong : describeError(error);
