import { describe, expect, it } from 'vitest';
import { checkGoal, NEW_GOAL, readGoal, writeGoal } from './goal-draft.ts';

describe('goal draft', () => {
  it('writes only the fields of its type', () => {
    const draft = { ...NEW_GOAL, name: ' Thanks ', url: 'shop.example/thanks', value: '5', currency: 'EUR' };
    expect(writeGoal(draft)).toEqual({
      name: 'Thanks',
      type: 'url',
      url: 'shop.example/thanks',
      match_type: 'substring',
    });
    expect(writeGoal({ ...draft, type: 'api' })).toEqual({ name: 'Thanks', type: 'api' });
    expect(writeGoal({ ...draft, type: 'sales_tracker' })).toMatchObject({ value_type: 'not_set', currency: 'EUR' });
  });

  it('fills missing fields with defaults', () => {
    const goal = { id: 3, name: 'Bought', active: 0, type: 'custom_variable', custom_variable_name: 'cart' } as const;
    expect(readGoal(goal)).toEqual({
      ...NEW_GOAL,
      name: 'Bought',
      active: false,
      type: 'custom_variable',
      custom_variable_name: 'cart',
    });
  });

  it('requires the fields of its type', () => {
    expect(checkGoal({ ...NEW_GOAL, name: 'Thanks' })).toEqual({ url: 'Required' });
    expect(Object.keys(checkGoal({ ...NEW_GOAL, type: 'custom_variable' }))).toEqual([
      'name',
      'custom_variable_name',
      'custom_variable_value',
    ]);
    expect(checkGoal({ ...NEW_GOAL, name: 'By program', type: 'api' })).toEqual({});
  });
});
