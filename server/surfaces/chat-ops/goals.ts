import * as contract from '#contracts/chat-ops/goals.ts';
import type { BodyOf } from '#contracts/operation.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import type { GoalFields } from '#server/domain/support/goals/conditions.ts';
import {
  createGoal,
  deleteGoal,
  type GoalRecord,
  getGoal,
  listGoals,
  updateGoal,
} from '#server/domain/support/goals/manage-goals.ts';
import { markGoal } from '#server/domain/support/goals/mark-goal.ts';
import { type Route, route } from '#server/http/route.ts';
import { readSale } from '#server/surfaces/shared/read-sale.ts';
import { readFlag, toFlag } from './present.ts';

const agentRoute = route<OrganizationScope>();

const presentFields = (goal: GoalRecord): Partial<contract.Goal> => {
  switch (goal.type) {
    case 'custom_variable':
      return { custom_variable_name: goal.customVariableName, custom_variable_value: goal.customVariableValue };
    case 'url':
      return { url: goal.url, match_type: goal.matchType ?? 'substring' };
    case 'sales_tracker':
      return {
        sales_tracker_id: goal.salesTrackerId,
        value_type: goal.valueType,
        value: goal.value ?? '',
        currency: goal.currency ?? '',
        time_range: goal.timeRange ?? '',
        order_field_name: goal.orderFieldName ?? '',
        value_field_name: goal.valueFieldName ?? '',
      };
    case 'api':
      return {};
  }
};

const presentSummary = ({ id, name, active, type }: GoalRecord) => ({ id, name, active: toFlag(active), type });

const present = (goal: GoalRecord): contract.Goal => ({ ...presentSummary(goal), ...presentFields(goal) });

const readFields = (body: BodyOf<typeof contract.updateGoal>): GoalFields => ({
  type: body.type,
  url: body.url,
  matchType: body.match_type,
  customVariableName: body.custom_variable_name,
  customVariableValue: body.custom_variable_value,
  salesTrackerId: body.sales_tracker_id,
  valueType: body.value_type,
  value: body.value,
  currency: body.currency,
  timeRange: body.time_range,
  orderFieldName: body.order_field_name,
  valueFieldName: body.value_field_name,
});

export const goalRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listGoals, async ({ query, scope }) =>
    (await listGoals(scope, { type: query.type })).map(presentSummary),
  ),
  agentRoute(contract.getGoal, async ({ params, scope }) => present(await getGoal(scope, { id: params.goal_id }))),
  agentRoute(contract.createGoal, async ({ body, scope }) =>
    present(await createGoal(scope, { name: body.name, condition: readFields(body) })),
  ),
  agentRoute(contract.updateGoal, async ({ params, body, scope }) => {
    const change = { name: body.name, active: readFlag(body.active), condition: readFields(body) };
    return present(await updateGoal(scope, { id: params.goal_id, ...change }));
  }),
  agentRoute(contract.deleteGoal, async ({ params, scope }) => {
    await deleteGoal(scope, { id: params.goal_id });
    return { result: 'Goal removed successfully' };
  }),
  agentRoute(contract.markGoal, async ({ params, body, scope }) => {
    await markGoal(scope, { goalId: params.goal_id, visitorId: body.visitor_id, sale: readSale(body) });
    return { result: 'Goal marked as successful' };
  }),
];
