import * as contract from '#contracts/chat-ops/greetings.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import {
  createGreeting,
  deleteGreeting,
  getGreeting,
  listGreetings,
  updateGreeting,
} from '#server/domain/support/greetings/manage-greetings.ts';
import type { GreetingRecord } from '#server/domain/support/greetings/records.ts';
import type { Rule, RuleDraft } from '#server/domain/support/greetings/rules.ts';
import { type Route, route } from '#server/http/route.ts';
import { readFlag } from './present.ts';

const agentRoute = route<OrganizationScope>();

const presentRule = (rule: Rule, index: number): contract.Rule => {
  const common = { id: index + 1, type: rule.type, condition: 'and' } as const;
  switch (rule.type) {
    case 'url_funnel':
      return { ...common, urls: rule.urls };
    case 'custom_variable': {
      const { operator, variableName, variableValue } = rule;
      return { ...common, operator, variable_name: variableName, variable_value: variableValue };
    }
    default:
      return { ...common, operator: rule.operator, value: rule.value };
  }
};

const present = ({ id, groupId, name, active, rules, message }: GreetingRecord): contract.Greeting => ({
  id,
  active,
  name,
  group: groupId,
  rules: rules.map(presentRule),
  properties: { active: active ? '1' : '0', 'greeting-message_text': message },
});

const readRule = (rule: contract.RuleInput): RuleDraft => {
  const { type, value, operator, variable_name, variable_value, urls } = rule;
  return {
    type,
    ...(value === undefined ? {} : { value }),
    ...(operator === undefined ? {} : { operator }),
    ...(variable_name === undefined ? {} : { variableName: variable_name }),
    ...(variable_value === undefined ? {} : { variableValue: variable_value }),
    ...(urls === undefined
      ? {}
      : { urls: urls.map((step) => ({ url: step.url, ...(step.operator ? { operator: step.operator } : {}) })) }),
  };
};

export const greetingRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listGreetings, async ({ query, scope }) =>
    (await listGreetings(scope, { groupId: query.group })).map(present),
  ),
  agentRoute(contract.getGreeting, async ({ params, scope }) =>
    present(await getGreeting(scope, { id: params.greeting_id })),
  ),
  agentRoute(contract.createGreeting, async ({ body, scope }) => {
    const { name, group, properties } = body;
    const message = properties?.['greeting-message_text'];
    return present(
      await createGreeting(scope, {
        ...{ name, rules: body.rules.map(readRule) },
        ...(group === undefined ? {} : { groupId: group }),
        ...(message === undefined ? {} : { message }),
      }),
    );
  }),
  agentRoute(contract.updateGreeting, async ({ params, body, scope }) => {
    const { name, properties, rules } = body;
    const active = readFlag(body.active);
    const message = properties?.['greeting-message_text'];
    return present(
      await updateGreeting(scope, {
        id: params.greeting_id,
        ...(name === undefined ? {} : { name }),
        ...(active === undefined ? {} : { active }),
        ...(message === undefined ? {} : { message }),
        ...(rules === undefined ? {} : { rules: rules.map(readRule) }),
      }),
    );
  }),
  agentRoute(contract.deleteGreeting, async ({ params, scope }) => {
    await deleteGreeting(scope, { id: params.greeting_id });
    return { ok: true as const };
  }),
];
