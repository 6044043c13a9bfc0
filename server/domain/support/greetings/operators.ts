import type { Address, AddressMatcher } from '../matching/addresses.ts';
import { createSubstringSearch } from '../matching/create-substring-search.ts';
import { foldText } from '../matching/texts.ts';
import { isOrdering, type Operator, type Ordering, readNumber } from './rules.ts';

export const inOrder = <T extends number | string>(operator: Ordering, one: T, other: T): boolean => {
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

/** A negative operator matches exactly when its positive counterpart matches none of the candidates. */
const someMatch = <T>(
  operator: Operator,
  candidates: readonly T[],
  equals: (candidate: T) => boolean,
  contains: (candidate: T) => boolean,
): boolean => {
  const found = candidates.some(operator === 'equals' || operator === 'doesnt_equal' ? equals : contains);
  return isNegative(operator) ? !found : found;
};

/**
 * Compares numerically if the value is a number, otherwise alphabetically. Unknown values are neither lower nor
 * greater.
 */
const textInOrder = (operator: Ordering, text: string, target: string): boolean => {
  const limit = readNumber(target);
  if (limit === undefined) return text !== '' && inOrder(operator, text, target);
  const number = readNumber(text);
  return number !== undefined && inOrder(operator, number, limit);
};

export const textMatches = (operator: Operator, texts: readonly string[], value: string): boolean => {
  const target = foldText(value);
  if (isOrdering(operator)) return texts.some((text) => textInOrder(operator, foldText(text), target));
  return someMatch(operator, texts.map(foldText), (text) => text === target, createSubstringSearch(target));
};

export const addressMatches = (operator: Operator, pages: readonly Address[], target: AddressMatcher): boolean => {
  if (!isOrdering(operator)) return someMatch(operator, pages, target.isPage, target.isPart);
  return pages.some((page) => page.plain !== '' && inOrder(operator, target.partOf(page), target.text));
};

/** A number contains its digits: 12 contains 2. */
export const numberMatches = (operator: Operator, number: number, value: number): boolean =>
  isOrdering(operator)
    ? inOrder(operator, number, value)
    : someMatch(
        operator,
        [number],
        (one) => one === value,
        (one) => String(one).includes(String(value)),
      );
