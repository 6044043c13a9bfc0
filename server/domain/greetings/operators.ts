import type { Address, SoughtAddress } from '../matching/addresses.ts';
import { seek } from '../matching/seek.ts';
import { foldText } from '../matching/texts.ts';
import { isOrdering, type Operator, type Ordering } from './rules.ts';

export const inOrder = (operator: Ordering, one: number, other: number): boolean => {
  switch (operator) {
    case 'lower_than':
      return one < other;
    case 'lower_or_equal':
      return one <= other;
    case 'greater_than':
      return one > other;
    case 'greater_or_equal':
      return one >= other;
  }
};

export const isNegative = (operator: Operator): boolean => operator === 'doesnt_equal' || operator === 'doesnt_contain';

/** A negative operator holds exactly when its positive one holds for none of the candidates. */
const someMatch = <T>(
  operator: Operator,
  candidates: readonly T[],
  equals: (candidate: T) => boolean,
  contains: (candidate: T) => boolean,
): boolean => {
  const found = candidates.some(operator === 'equals' || operator === 'doesnt_equal' ? equals : contains);
  return isNegative(operator) ? !found : found;
};

export const textMatches = (operator: Operator, texts: readonly string[], value: string): boolean => {
  const sought = foldText(value);
  return someMatch(operator, texts.map(foldText), (text) => text === sought, seek(sought));
};

export const addressMatches = (operator: Operator, pages: readonly Address[], sought: SoughtAddress): boolean =>
  someMatch(operator, pages, sought.isPage, sought.isPart);

export const numberMatches = (operator: Operator, number: number, value: number): boolean => {
  if (isOrdering(operator)) return inOrder(operator, number, value);
  return isNegative(operator) ? number !== value : number === value;
};
