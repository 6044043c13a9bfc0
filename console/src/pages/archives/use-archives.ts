import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PushAction } from '#contracts/chat/frames.ts';
import { type ArchivedChat, getChat, listChats } from '#contracts/chat-ops/chats.ts';
import { callRest } from '../../api/call.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { useRefetchOn } from '../../realtime/use-refetch-on.ts';
import type { ArchiveQuery } from './filters.ts';

export const useArchiveList = (query: ArchiveQuery) =>
  useQuery({
    queryKey: [...keys.archives, 'list', query],
    queryFn: () => callRest(listChats, { query }),
    placeholderData: keepPreviousData,
  });

export const useArchivedChat = (id: string, timezone: string | undefined) =>
  useQuery({
    queryKey: [...keys.archives, 'one', id, timezone],
    queryFn: () => callRest(getChat, { params: { chat_id: id }, query: { timezone } }),
  });

const CHANGES: ReadonlySet<PushAction> = new Set([
  ...(['chat_deactivated', 'thread_tagged', 'thread_untagged', 'thread_properties_updated'] as const),
]);

/** Refetches when a chat ends or an archived chat changes. */
export const useArchivePushes = (): void => useRefetchOn(CHANGES, keys.archives);

export const refetchArchives = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.archives });

/** Limits the export, because each page is a request. */
export const MAX_EXPORTED = 2500;

/** Fetches all pages that match the filters. */
export const readAll = async (query: ArchiveQuery, onProgress: (read: number) => void): Promise<ArchivedChat[]> => {
  const chats: ArchivedChat[] = [];
  for (let page = 1, pages = 1; page <= pages && chats.length < MAX_EXPORTED; page++) {
    const answer = await callRest(listChats, { query: { ...query, page } });
    pages = answer.pages;
    chats.push(...answer.chats);
    onProgress(chats.length);
  }
  return chats;
};
