import { describe, expect, it } from 'vitest';
import { findReachedGoals, type GoalToCheck } from './find-reached-goals.ts';

const goals: GoalToCheck[] = [
  { id: 1, active: true, type: 'url', url: '/thank-you' },
  { id: 2, active: true, type: 'url', url: 'https://shop.example/thank-you', matchType: 'exact' },
  { id: 3, active: true, type: 'custom_variable', customVariableName: 'plan', customVariableValue: 'Gold' },
  { id: 4, active: true, type: 'api' },
  { id: 5, active: true, type: 'sales_tracker', salesTrackerId: 'SHOP', valueType: 'not_set' },
  { id: 6, active: false, type: 'url', url: '/thank-you' },
  { id: 7, active: true, type: 'url', url: '' },
  { id: 8, active: true, type: 'custom_variable', customVariableName: 'constructor', customVariableValue: '' },
];
const reached = (pageUrl?: string, customVariables: Record<string, string> = {}, ids: number[] = []): number[] =>
  findReachedGoals(goals, {
    ...(pageUrl === undefined ? {} : { pageUrl }),
    customVariables,
    alreadyReached: new Set(ids),
  }).map(({ id }) => id);

describe('a goal', () => {
  it('is reached by a page that contains its URL, or by exactly that page', () => {
    expect(reached('https://www.shop.example/thank-you/')).toEqual([1, 2]);
    expect(reached('https://shop.example/thank-you?order=7')).toEqual([1]);
    expect(reached('https://shop.example/cart')).toEqual([]);
  });

  it('is reached by a variable', () => {
    expect(reached(undefined, { plan: 'gold ' })).toEqual([3]);
    expect(reached(undefined, { plan: 'golden' })).toEqual([]);
    expect(reached(undefined, { Plan: 'Gold' })).toEqual([]);
  });

  it('is not reached twice', () => {
    expect(reached('https://shop.example/thank-you', { plan: 'Gold' }, [1, 3])).toEqual([2]);
  });

  it('is not reached by missing or inherited variables', () => {
    expect(reached()).toEqual([]);
    expect(reached('')).toEqual([]);
  });

  it('is returned unchanged', () => {
    const goal = { id: 9, active: true, type: 'url', url: '/a', name: 'Read about us' } as const;
    expect(findReachedGoals([goal], { pageUrl: 'https://shop.example/a', customVariables: {} })).toEqual([goal]);
  });
});
