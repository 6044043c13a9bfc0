import { DomainError } from '../../errors.ts';

/** The product version that this server serves. */
const CURRENT = 1;

export const assertProductVersion = (version: number): void => {
  if (version !== CURRENT) throw new DomainError('wrong_product_version', 'Wrong product version');
};
