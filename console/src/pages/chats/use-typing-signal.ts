import { useEffect, useRef } from 'react';
import { sendTypingIndicator } from '#contracts/agent/events.ts';
import { call } from '../../api/call.ts';

const EVERY_MS = 4_000;

/** Sends typing indicators to the customer, throttled, and when typing stops. Never for notes. */
export const useTypingSignal = (chatId: string): ((isTyping: boolean, isNote: boolean) => void) => {
  const last = useRef(0);
  const send = (isTyping: boolean): void => {
    last.current = isTyping ? Date.now() : 0;
    // A lost typing indicator does no harm.
    call(sendTypingIndicator, { body: { chat_id: chatId, is_typing: isTyping } }).catch(() => {});
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the conversation is left.
  useEffect(
    () => () => {
      if (last.current > 0) send(false);
    },
    [],
  );
  return (isTyping, isNote) => {
    if (isNote) return;
    if (isTyping ? Date.now() - last.current > EVERY_MS : last.current > 0) send(isTyping);
  };
};
