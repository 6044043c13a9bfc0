import { useState } from 'react';
import { readStorage, writeStorage } from '#browser/storage.ts';
import type { ListName } from '../../realtime/chats/lists.ts';

const KEY = 'parley-collapsed-lists';

/** The collapsed lists, remembered in this browser. */
export const useCollapsed = () => {
  const [collapsed, setCollapsed] = useState(() => readStorage<ListName[]>(KEY) ?? []);
  const toggle = (list: ListName): void => {
    const next = collapsed.includes(list) ? collapsed.filter((one) => one !== list) : [...collapsed, list];
    setCollapsed(next);
    writeStorage(KEY, next);
  };
  return { collapsed, toggle };
};
