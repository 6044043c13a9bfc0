import { readStorage, writeStorage } from '#browser/storage.ts';
import { createStore } from '../design/store.ts';

export interface NotifySettings {
  sound: boolean;
  /** Browser notifications while the page has no focus. */
  popups: boolean;
}

export const VOLUME = 0.12;

const KEY = 'parley-notify';
const settings = createStore<NotifySettings>({
  sound: true,
  popups: false,
  ...readStorage<Partial<NotifySettings>>(KEY),
});

export const notifySettings = settings.get;
export const useNotifySettings = settings.use;

export const changeNotifySettings = (change: Partial<NotifySettings>): void => {
  settings.set({ ...settings.get(), ...change });
  writeStorage(KEY, settings.get());
};
