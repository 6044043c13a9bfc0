import { useQuery } from '@tanstack/react-query';
import type { PushAction } from '#contracts/chat/frames.ts';
import { listVisitors } from '#contracts/chat-ops/visitors.ts';
import { callRest } from '../../api/call.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { usePushes } from '../../realtime/live.ts';
import { useRefetchOn } from '../../realtime/refetch-on.ts';
import { applyPushes, shareVisitors } from './apply-pushes.ts';
import { fromList, type Visitor } from './visitor.ts';

/** No push tells that a visitor is greeted or refuses, and that one has left is told late. */
const READ_EVERY_MS = 10_000;
const READ_AFTER_MS = 2_000;

const readVisitors = async (): Promise<Visitor[]> => {
  const answer = await callRest(listVisitors, { query: {} });
  return Array.isArray(answer) ? answer.map(fromList) : [];
};

/** What changes a visitor's state, or brings somebody of whom a push tells too little. */
const STATE_CHANGES: ReadonlySet<PushAction> = new Set([
  ...(['customer_visit_started', 'incoming_chat', 'chat_deactivated', 'chat_transferred'] as const),
  ...(['user_added_to_chat', 'user_removed_from_chat'] as const),
]);

/** Who is on the site. What pushes tell is there at once; the rest is read soon after, and every few seconds. */
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
