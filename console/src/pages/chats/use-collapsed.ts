import { useState } from 'react';
import type { ListName } from '../../realtime/chats/lists.ts';

const KEY = 'parley-collapsed-lists';

const load = (): ListName[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
};

/** The collapsed lists, remembered in this browser. */
export const useCollapsed = () => {
  const [collapsed, setCollapsed] = useState(load);
  const toggle = (list: ListName): void => {
    const next = collapsed.includes(list) ? collapsed.filter((one) => one !== list) : [...collapsed, list];
    setCollapsed(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage it lasts until the page is closed.
    }
  };
  return { collapsed, toggle };
};
