import type { Core, WireError } from '../core.ts';
import type { Outbox } from './outbox.ts';
import type { Say } from './phrases.ts';
import type { Store } from './state.ts';

/** What every part of a chat works with. */
export interface Desk {
  core: Core;
  store: Store;
  outbox: Outbox;
  say: Say;
}

export const typeOf = (error: unknown): string => (error as Partial<WireError>)?.type ?? 'internal';

/** Where somebody without a chat begins. */
export const startView = ({ core, store }: Desk): 'start' | 'ticket' =>
  !store.get().online && core.configuration().ticket_form ? 'ticket' : 'start';
