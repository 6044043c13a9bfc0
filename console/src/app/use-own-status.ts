import { useMutation } from '@tanstack/react-query';
import { setRoutingStatus } from '#contracts/agent/presence.ts';
import { call } from '../api/call.ts';
import { describeError } from '../api/errors.ts';
import { keys, queryClient } from '../api/queries.ts';
import { type Session, useSession } from '../api/session.ts';
import { notifyError } from '../design/notices.ts';
import { usePushes } from '../realtime/live.ts';

type Status = Session['routing_status'];

const store = (status: Status): void => {
  queryClient.setQueryData<Session | null>(keys.session, (old) => old && { ...old, routing_status: status });
};

/** The agent's own routing status and a setter; it follows changes made in other browsers. */
export const useOwnStatus = () => {
  const { login, routing_status: status } = useSession();
  usePushes((batch) => {
    for (const { action, payload } of batch)
      if (action === 'routing_status_set' && payload.agent_id === login) store(payload.status);
  });
  const change = useMutation({
    mutationFn: (next: Status) => call(setRoutingStatus, { body: { status: next } }),
    onMutate: (next) => {
      store(next);
      return status;
    },
    onError: (error, _, before) => {
      if (before) store(before);
      notifyError(describeError(error));
    },
  });
  return { status, setStatus: change.mutate };
};
