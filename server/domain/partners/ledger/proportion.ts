/** Computes `cents * part / whole`, rounded to the nearest cent (half a cent up). */
export const proportion = (cents: number, part: number, whole: number): number => {
  const doubled = 2n * BigInt(cents) * BigInt(part) + BigInt(whole);
  return Number(doubled / (2n * BigInt(whole)));
};

const HUNDREDTHS = 100;

/** Percents have at most two decimals. */
export const percentOf = (cents: number, percent: number): number =>
  proportion(cents, Math.round(percent * HUNDREDTHS), 100 * HUNDREDTHS);
