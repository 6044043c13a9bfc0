import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Chatting } from '../chat/chatting.ts';

export const ChattingContext = createContext<Chatting>(undefined as never);

export const useChatting = (): Chatting => useContext(ChattingContext);
