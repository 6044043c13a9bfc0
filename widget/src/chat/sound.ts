import { readStorage, writeStorage } from '#browser/storage.ts';

const KEY = 'parley_sound';
let audio: AudioContext | undefined;

export const isSoundOn = (): boolean => readStorage<boolean>(KEY) ?? true;
export const setSound = (on: boolean): void => writeStorage(KEY, on);

/** Plays two short synthesized tones. Browsers allow sound only after the visitor has interacted with the page. */
export const beep = (): void => {
  if (!isSoundOn() || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const start = audio.currentTime;
  for (const [at, pitch] of [
    [0, 660],
    [0.12, 880],
  ] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, start + at);
    volume.gain.exponentialRampToValueAtTime(0.001, start + at + 0.18);
    tone.connect(volume).connect(audio.destination);
    tone.start(start + at);
    tone.stop(start + at + 0.2);
  }
};
