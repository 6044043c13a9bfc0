import { getSession } from '#contracts/agent/sessions.ts';
import { call } from '../../api/call.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { router } from '../../app/router.tsx';

/** Only a path of the console itself: an address from outside could lead anywhere. */
const isOwnPath = (path: string | undefined): path is string => path !== undefined && /^\/(?![/\\])/.test(path);

/** After signing in: back to where one was. */
export const enterConsole = async (back: string | undefined): Promise<void> => {
  queryClient.setQueryData(keys.session, await call(getSession, { query: {}, body: {} }));
  if (isOwnPath(back)) router.history.push(`/console${back}`);
  else await router.navigate({ to: '/chats' });
};
