import { beep } from '#browser/beep.ts';
import { readStorage, writeStorage } from '#browser/storage.ts';

const KEY = 'parley_sound';
const VOLUME = 0.08;

export const isSoundOn = (): boolean => readStorage<boolean>(KEY) ?? true;
export const setSound = (on: boolean): void => writeStorage(KEY, on);

export const playSound = (): void => {
  if (isSoundOn()) beep(VOLUME, 660, 880);
};
