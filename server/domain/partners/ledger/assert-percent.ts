import { invalid } from '../../errors.ts';

const HUNDREDTHS = 100;

/** `percent % 0.01` would reject 19.99, because binary fractions are not exact. */
export const assertPercent = (field: string, percent: number): void => {
  const hundredths = percent * HUNDREDTHS;
  if (Math.abs(hundredths - Math.round(hundredths)) > 1e-6) throw invalid(field, 'must have at most two decimals');
};
