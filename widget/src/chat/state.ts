import type { Customer } from '#contracts/chat/customers.ts';
import type { Event } from '#contracts/chat/events.ts';
import type { LinkState } from '../core.ts';
import type { Conversation } from './conversation.ts';
import type { UnsentEvent } from './outbox.ts';

export type View = 'start' | 'chat' | 'ticket' | 'ticket_sent' | 'history';

export interface ShownGreeting {
  id: number;
  unique_id: string;
  event: Event;
  agent: { name: string; avatar: string; job_title: string };
  accepted?: boolean;
}

export interface Upload {
  id: string;
  file: File;
  /** From 0 to 1. */
  progress: number;
  error?: 'Upload_failed' | 'File_too_large' | 'File_type_not_allowed';
}

export interface PredictedAgent {
  name: string;
  avatar: string;
  job_title: string;
}

export interface State {
  view: View;
  /** Chats and phrases have been loaded. */
  isLoaded: boolean;
  link: LinkState;
  online: boolean;
  customer?: Customer;
  conversation?: Conversation;
  hasHistory: boolean;
  unsentEvents: UnsentEvent[];
  uploads: Upload[];
  /** The typing indicator expires unless it is repeated. */
  typing?: { id: string; until: number };
  greeting?: ShownGreeting;
  agent?: PredictedAgent;
  /** The error phrase when starting a chat failed. */
  startError?: string;
  /** The email address of the last ticket. */
  ticketEmail?: string;
  phrases: Record<string, string>;
}

export interface Store {
  get(): State;
  set(change: Partial<State>): void;
  listen(listener: () => void): void;
}

/** A minimal store. Changes within one microtask notify listeners once. */
export const createStore = (initial: State): Store => {
  const listeners: (() => void)[] = [];
  let state = initial;
  let isNotified = true;
  return {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
      if (!isNotified) return;
      isNotified = false;
      queueMicrotask(() => {
        isNotified = true;
        for (const listener of listeners) listener();
      });
    },
    listen: (listener) => void listeners.push(listener),
  };
};
