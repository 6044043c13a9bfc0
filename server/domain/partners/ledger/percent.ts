import { invalid } from '../../errors.ts';

const HUNDREDTHS = 100;

/** A remainder of a division would refuse 19.99: no such fraction is exact. */
export const assertPercent = (field: string, percent: number): void => {
  const hundredths = percent * HUNDREDTHS;
  if (Math.abs(hundredths - Math.round(hundredths)) > 1e-6) throw invalid(field, 'has more than two decimals');
};
