import type { Goal } from '#contracts/chat-ops/goals.ts';
import { collectErrors, type FieldErrors, required } from '../../../editing/field-errors.ts';

export type GoalType = Goal['type'];

export interface GoalDraft {
  name: string;
  type: GoalType;
  active: boolean;
  url: string;
  match_type: 'substring' | 'exact';
  custom_variable_name: string;
  custom_variable_value: string;
  value_type: 'not_set' | 'set' | 'dynamic';
  value: string;
  currency: string;
  order_field_name: string;
  value_field_name: string;
}

export const NEW_GOAL: GoalDraft = {
  name: '',
  type: 'url',
  active: true,
  url: '',
  match_type: 'substring',
  custom_variable_name: '',
  custom_variable_value: '',
  value_type: 'not_set',
  value: '',
  currency: '',
  order_field_name: '',
  value_field_name: '',
};

export const readGoal = (goal: Goal): GoalDraft => {
  const fields = Object.keys(NEW_GOAL).filter((field) => field in goal) as (keyof Goal & keyof GoalDraft)[];
  const values = Object.fromEntries(fields.map((field) => [field, goal[field]]));
  return { ...NEW_GOAL, ...values, active: goal.active === 1 };
};

export const checkGoal = ({ name, type, ...draft }: GoalDraft): FieldErrors =>
  collectErrors({
    name: required(name),
    url: type === 'url' && required(draft.url),
    custom_variable_name: type === 'custom_variable' && required(draft.custom_variable_name),
    custom_variable_value: type === 'custom_variable' && required(draft.custom_variable_value),
    value: type === 'sales_tracker' && draft.value_type === 'set' && required(draft.value),
  });

/** Only the fields of the goal's type. */
export const writeGoal = (draft: GoalDraft) => {
  const { name, type, url, match_type, custom_variable_name, custom_variable_value, value_type } = draft;
  const { value, currency, order_field_name, value_field_name } = draft;
  const base = { name: name.trim(), type };
  switch (type) {
    case 'url':
      return { ...base, url: url.trim(), match_type };
    case 'custom_variable':
      return { ...base, custom_variable_name: custom_variable_name.trim(), custom_variable_value };
    case 'sales_tracker':
      return { ...base, value_type, value, currency, order_field_name, value_field_name };
    case 'api':
      return base;
  }
};
