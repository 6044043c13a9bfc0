import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PushAction } from '#contracts/chat/frames.ts';
import { queryClient } from '../api/queries.ts';
import { usePushes } from './live.ts';

const EVERY_MS = 1500;

/** Refetches a query after these pushes; several in a row cause one refetch. */
export const useRefetchOn = (actions: ReadonlySet<PushAction>, queryKey: QueryKey, everyMs = EVERY_MS): void => {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(waiting.current);
      waiting.current = undefined;
    },
    [],
  );
  usePushes((batch) => {
    if (waiting.current !== undefined || !batch.some(({ action }) => actions.has(action))) return;
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      void queryClient.invalidateQueries({ queryKey });
    }, everyMs);
  });
};
