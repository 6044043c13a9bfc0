import type { Customer } from '#contracts/chat/customers.ts';
import type { Event } from '#contracts/chat/events.ts';
import type { LinkState } from '../core.ts';
import type { Conversation } from './conversation.ts';
import type { Draft } from './outbox.ts';

export type View = 'start' | 'chat' | 'ticket' | 'ticket_sent' | 'history';

export interface ShownGreeting {
  id: number;
  unique_id: string;
  event: Event;
  agent: { name: string; avatar: string; job_title: string };
  /** It was opened already. */
  accepted?: boolean;
}

export interface Upload {
  id: string;
  file: File;
  /** From 0 to 1. */
  progress: number;
  fault?: 'Upload_failed' | 'File_too_large' | 'File_type_not_allowed';
}

export interface PredictedAgent {
  name: string;
  avatar: string;
  job_title: string;
}

export interface State {
  view: View;
  /** The chats were read. */
  known: boolean;
  link: LinkState;
  online: boolean;
  customer?: Customer;
  conversation?: Conversation;
  hasHistory: boolean;
  drafts: Draft[];
  uploads: Upload[];
  /** Who types, and until when that is believed. */
  typing?: { id: string; until: number };
  greeting?: ShownGreeting;
  agent?: PredictedAgent;
  /** What went wrong last, in the words of the phrases. */
  trouble?: string;
  /** The mail address a ticket was sent with. */
  answeredTo?: string;
  phrases: Record<string, string>;
}

export interface Store {
  get(): State;
  set(change: Partial<State>): void;
  listen(listener: () => void): void;
}

/** Listeners are told once, however much changes at a time. */
export const createStore = (initial: State): Store => {
  const listeners: (() => void)[] = [];
  let state = initial;
  let told = true;
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      if (!told) return;
      told = false;
      queueMicrotask(() => {
        told = true;
        for (const listener of listeners) listener();
      });
    },
    listen: (listener) => void listeners.push(listener),
  };
};
