const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Exponential backoff. Half of the delay is random so that clients do not all return at the same moment after a restart. */
export const reconnectDelay = (failures: number, random: () => number = Math.random): number => {
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10));
  return delay / 2 + (delay / 2) * random();
};
