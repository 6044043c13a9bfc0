import type { Core, WireError } from '../core.ts';
import type { Translate } from './localization.ts';
import type { Outbox } from './outbox.ts';
import type { Store } from './state.ts';

export interface ChatContext {
  core: Core;
  store: Store;
  outbox: Outbox;
  t: Translate;
}

export const typeOf = (error: unknown): string => (error as Partial<WireError>)?.type ?? 'internal';

/** The view to show when there is no chat. */
export const startView = ({ core, store }: ChatContext): 'start' | 'ticket' =>
  !store.get().online && core.configuration().ticket_form ? 'ticket' : 'start';
