import { useState } from 'react';

interface Draft {
  text: string;
  isNote: boolean;
}

const drafts = new Map<string, Draft>();
const NONE: Draft = { text: '', isNote: false };

/** Keeps the draft of each chat while the agent is in another one. */
export const useDraft = (chatId: string) => {
  const [draft, setDraft] = useState(() => drafts.get(chatId) ?? NONE);
  const set = (next: Draft): void => {
    if (next.text === '' && !next.isNote) drafts.delete(chatId);
    else drafts.set(chatId, next);
    setDraft(next);
  };
  return {
    draft,
    setText: (text: string) => set({ ...draft, text }),
    setNote: (isNote: boolean) => set({ ...draft, isNote }),
    clear: () => set(NONE),
  };
};
