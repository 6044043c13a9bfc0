import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { byList } from '../../realtime/chats/lists.ts';
import { currentChats, ownLogin } from '../../realtime/chats/store.ts';

const HELP = 'parley-shortcut-help';

export const openShortcutHelp = (): void => void dispatchEvent(new Event(HELP));

/** Triggers the element with this `data-shortcut` name, if it is on the page. */
const press = (name: string): boolean => {
  const element = document.querySelector<HTMLElement>(`[data-shortcut="${name}"]`);
  if (!element) return false;
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) element.focus();
  else element.click();
  return true;
};

const isWriting = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const hasDialog = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** Single letters, active outside of text fields. */
const LETTER_SHORTCUTS: Record<string, string> = {
  r: 'reply',
  n: 'note',
  t: 'tag',
  m: 'transfer',
  i: 'customer',
  x: 'close-chat',
  a: 'take',
};

/** The next or previous chat. Works everywhere with Alt, because browsers use the other modifier keys. */
const neighbor = (openId: string | undefined, step: number): string | undefined => {
  const { mine, queue, supervised, others } = byList(currentChats(), ownLogin());
  const all = [...mine, ...queue, ...supervised, ...others];
  const index = openId === undefined ? -1 : all.indexOf(openId);
  if (index === -1) return step > 0 ? all[0] : all.at(-1);
  return all[(index + step + all.length) % all.length];
};

export const useChatShortcuts = (openId: string | undefined) => {
  const navigate = useNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    const go = (chatId: string | undefined): void => {
      if (chatId !== undefined) void navigate({ to: '/chats/$chatId', params: { chatId } });
    };
    const take = (event: KeyboardEvent): boolean => {
      const { key, altKey, ctrlKey, metaKey } = event;
      if (hasDialog() || ctrlKey || metaKey) return false;
      if (altKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
        go(neighbor(openId, key === 'ArrowDown' ? 1 : -1));
        return true;
      }
      if (altKey || isWriting(event)) return false;
      if (key === '?') {
        setHelpOpen(true);
        return true;
      }
      if (key === 'j' || key === 'k') {
        go(neighbor(openId, key === 'j' ? 1 : -1));
        return true;
      }
      const name = LETTER_SHORTCUTS[key];
      return name !== undefined && press(name);
    };
    const listen = (event: KeyboardEvent): void => {
      if (take(event)) event.preventDefault();
    };
    const open = (): void => setHelpOpen(true);
    document.addEventListener('keydown', listen);
    addEventListener(HELP, open);
    return () => {
      document.removeEventListener('keydown', listen);
      removeEventListener(HELP, open);
    };
  }, [navigate, openId]);
  return { isHelpOpen, closeHelp: () => setHelpOpen(false) };
};
