const FIRST_MS = 500;
const MOST_MS = 15_000;

/** Half of it by chance, so that after a restart the agents of a whole company do not come at the same moment. */
export const waitBeforeTry = (failures: number, random: () => number = Math.random): number => {
  const most = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return most / 2 + (most / 2) * random();
};
