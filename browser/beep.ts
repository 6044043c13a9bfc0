let context: AudioContext | undefined;

/** Plays short tones without an audio file. Browsers allow sound only after the first click; until then it stays silent. */
export const beep = (volume: number, ...tones: number[]): void => {
  if (!navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    const audio = context;
    if (audio.state === 'suspended') void audio.resume();
    for (const [index, frequency] of tones.entries()) {
      const from = audio.currentTime + index * 0.13;
      const tone = audio.createOscillator();
      const gain = audio.createGain();
      tone.frequency.value = frequency;
      gain.gain.setValueAtTime(0, from);
      gain.gain.linearRampToValueAtTime(volume, from + 0.02);
      gain.gain.exponentialRampToValueAtTime(0.0001, from + 0.24);
      tone.connect(gain).connect(audio.destination);
      tone.start(from);
      tone.stop(from + 0.25);
    }
  } catch {
    // No sound device.
  }
};
