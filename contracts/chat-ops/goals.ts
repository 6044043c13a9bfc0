import { type Static, Type } from 'typebox';
import { orderFields } from '../order.ts';
import { Int32, Name, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { Flag, jsonp, Result } from './values.ts';

const GoalType = oneOf('custom_variable', 'url', 'api', 'sales_tracker');

const GoalSummary = Type.Object({ id: Int32(), name: Type.String(), active: Flag(), type: GoalType });

const Text = Type.String({ maxLength: 2048 });

/** By type: `custom_variable` has the first two, `url` the next two, `sales_tracker` the rest, `api` none. */
const typeFields = {
  custom_variable_name: Type.Optional(Text),
  custom_variable_value: Type.Optional(Text),
  url: Type.Optional(Text),
  match_type: Type.Optional(oneOf('substring', 'exact')),
  sales_tracker_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Generated if absent' })),
  value_type: Type.Optional(oneOf('not_set', 'set', 'dynamic')),
  value: Type.Optional(Text),
  currency: Type.Optional(Text),
  time_range: Type.Optional(Text),
  order_field_name: Type.Optional(Text),
  value_field_name: Type.Optional(Text),
};

export const Goal = Type.Object({ ...GoalSummary.properties, ...typeFields });
export type Goal = Static<typeof Goal>;

const params = Type.Object({ goal_id: Int32() });

export const listGoals = chatOpsOperation({
  name: 'list_goals',
  scopes: ['goals_read'],
  method: 'GET',
  path: '/goals',
  summary: 'Lists goals, optionally of one type',
  query: Type.Object({ type: Type.Optional(GoalType), ...jsonp }),
  responses: { 200: Type.Array(GoalSummary) },
});

export const getGoal = chatOpsOperation({
  name: 'get_goal',
  scopes: ['goals_read'],
  method: 'GET',
  path: '/goals/:goal_id',
  summary: 'Returns a goal',
  params,
  query: Type.Object(jsonp),
  responses: { 200: Goal },
});

export const createGoal = chatOpsOperation({
  name: 'create_goal',
  scopes: ['goals_write'],
  method: 'POST',
  path: '/goals',
  audit: true,
  summary: 'Creates an active goal',
  body: Type.Object({ name: Name(), type: GoalType, ...typeFields }),
  responses: { 200: Goal },
});

export const updateGoal = chatOpsOperation({
  name: 'update_goal',
  scopes: ['goals_write'],
  method: 'PUT',
  path: '/goals/:goal_id',
  audit: true,
  summary: 'Updates a goal; an inactive goal is paused',
  params,
  body: Type.Object({
    name: Type.Optional(Name()),
    type: Type.Optional(GoalType),
    active: Type.Optional(Flag()),
    ...typeFields,
  }),
  responses: { 200: Goal },
});

export const deleteGoal = chatOpsOperation({
  name: 'delete_goal',
  scopes: ['goals_write'],
  method: 'DELETE',
  path: '/goals/:goal_id',
  audit: true,
  summary: 'Deletes a goal; its results stay in the reports',
  params,
  responses: { 200: Result },
});

export const markGoal = chatOpsOperation({
  name: 'mark_goal_as_successful',
  scopes: ['goals_write'],
  method: 'POST',
  path: '/goals/:goal_id/mark_as_successful',
  audit: false,
  summary: 'Records that a visitor reached a goal; with an order, a sale',
  params,
  body: Type.Object({
    visitor_id: Type.String({ minLength: 1, maxLength: 200, description: 'The visitor id from the tracking script' }),
    ...orderFields,
  }),
  responses: { 200: Result },
});

export const goalOperations = [listGoals, getGoal, createGoal, updateGoal, deleteGoal, markGoal];
