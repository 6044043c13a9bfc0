import { describe, expect, it } from 'vitest';
import { reachedGoals, type WatchedGoal } from './reached.ts';

const goals: WatchedGoal[] = [
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
  reachedGoals(goals, {
    ...(pageUrl === undefined ? {} : { pageUrl }),
    customVariables,
    alreadyReached: new Set(ids),
  }).map(({ id }) => id);

describe('a goal', () => {
  it('is reached by a page that contains its address, or by that page alone', () => {
    expect(reached('https://www.shop.example/thank-you/')).toEqual([1, 2]);
    expect(reached('https://shop.example/thank-you?order=7')).toEqual([1]);
    expect(reached('https://shop.example/cart')).toEqual([]);
  });

  it('is reached by a variable', () => {
    expect(reached(undefined, { plan: 'gold ' })).toEqual([3]);
    expect(reached(undefined, { plan: 'golden' })).toEqual([]);
    expect(reached(undefined, { Plan: 'Gold' })).toEqual([]);
  });

  it('is not reached again', () => {
    expect(reached('https://shop.example/thank-you', { plan: 'Gold' }, [1, 3])).toEqual([2]);
  });

  it('is reached neither by nothing nor by what every object has', () => {
    expect(reached()).toEqual([]);
    expect(reached('')).toEqual([]);
  });

  it('is given back as it came', () => {
    const goal = { id: 9, active: true, type: 'url', url: '/a', name: 'Read about us' } as const;
    expect(reachedGoals([goal], { pageUrl: 'https://shop.example/a', customVariables: {} })).toEqual([goal]);
  });
});
