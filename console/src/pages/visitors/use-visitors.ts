import { useQuery } from '@tanstack/react-query';
import type { PushAction } from '#contracts/chat/frames.ts';
import { listVisitors } from '#contracts/chat-ops/visitors.ts';
import { callRest } from '../../api/call.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { usePushes } from '../../realtime/live.ts';
import { useRefetchOn } from '../../realtime/use-refetch-on.ts';
import { applyPushes, shareVisitors } from './apply-pushes.ts';
import { fromList, type Visitor } from './visitor.ts';

/** Greetings and declined invitations are not pushed, and visits end with a delay, so the list is polled. */
const READ_EVERY_MS = 10_000;
const READ_AFTER_MS = 2_000;

const readVisitors = async (): Promise<Visitor[]> => {
  const answer = await callRest(listVisitors, {});
  return Array.isArray(answer) ? answer.map(fromList) : [];
};

/** Pushes that change a visitor's state or lack details. */
const STATE_CHANGES: ReadonlySet<PushAction> = new Set([
  ...(['customer_visit_started', 'incoming_chat', 'chat_deactivated', 'chat_transferred'] as const),
  ...(['user_added_to_chat', 'user_removed_from_chat'] as const),
]);

/** Visitors on the site. Pushes apply immediately; the list is refetched soon after and every few seconds. */
export const useVisitors = () => {
  usePushes((batch) =>
    queryClient.setQueryData<Visitor[]>(keys.visitors, (visitors) => visitors && applyPushes(visitors, batch)),
  );
  useRefetchOn(STATE_CHANGES, keys.visitors, READ_AFTER_MS);
  return useQuery({
    queryKey: keys.visitors,
    queryFn: readVisitors,
    structuralSharing: (before, after) => shareVisitors(before as Visitor[] | undefined, after as Visitor[]),
    staleTime: 0,
    refetchInterval: READ_EVERY_MS,
  });
};
