import { useQueries } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { CannedResponse } from '#contracts/chat-ops/canned-responses.ts';
import { cannedResponsesQuery } from '../../api/people.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';

const MAX_SHOWN = 8;
const WORD = /(?:^|\s)#([^\s#]*)$/;

const matches = ({ tags, text }: CannedResponse, word: string): boolean =>
  tags.some((tag) => tag.toLowerCase().startsWith(word)) || (word.length > 2 && text.toLowerCase().includes(word));

/** Canned responses after `#`: matches, selection and keyboard handling. */
export const useCanned = (
  { groupIds }: LiveChat,
  text: string,
  field: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
) => {
  const [cursor, setCursor] = useState(0);
  const [index, setIndex] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const word = WORD.exec(text.slice(0, cursor))?.[1]?.toLowerCase();
  const groups = [...new Set([0, ...groupIds])];
  const queries = useQueries({
    queries: groups.map((group) => ({ ...cannedResponsesQuery(group), enabled: word !== undefined })),
  });
  const all = new Map(queries.flatMap(({ data = [] }) => data.map((one) => [one.id, one])));
  const found = word === undefined ? [] : [...all.values()].filter((one) => matches(one, word)).slice(0, MAX_SHOWN);
  const isOpen = found.length > 0 && dismissed !== text;
  const chosen = Math.min(index, found.length - 1);

  const choose = (one: CannedResponse): void => {
    const before = text.slice(0, cursor).replace(/#[^\s#]*$/, '');
    setText(before + one.text + text.slice(cursor));
    const end = before.length + one.text.length;
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(end, end);
      setCursor(end);
    });
    setIndex(0);
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && !event.altKey) setIndex((chosen + step + found.length) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(found[chosen]!);
    else if (event.key === 'Escape') setDismissed(text);
    else return false;
    event.preventDefault();
    return true;
  };

  const onSelect = (): void => setCursor(field.current?.selectionStart ?? 0);

  return { isOpen, found, index: chosen, choose, onKeyDown, onSelect };
};

export type Canned = ReturnType<typeof useCanned>;
