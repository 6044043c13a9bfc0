import { type Static, Type } from 'typebox';
import { Int32, Name, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { Flag, jsonp, Ok } from './values.ts';

const RuleType = oneOf(
  'visit_time_site',
  'visit_time_page',
  'url_current',
  'url_visited',
  'pages_view_number',
  'url_referrer',
  'geolocation',
  'visits_number',
  'search_keyword',
  'custom_variable',
  'url_funnel',
);

const Operator = oneOf(
  'equals',
  'doesnt_equal',
  'lower_than',
  'lower_or_equal',
  'greater_than',
  'greater_or_equal',
  'contains',
  'doesnt_contain',
);

const Text = Type.String({ maxLength: 2048 });

export const Rule = Type.Object({
  id: Int32({ description: 'Position among the rules, starting at 1' }),
  type: RuleType,
  value: Type.Optional(Type.String()),
  operator: Type.Optional(Operator),
  condition: Type.Literal('and'),
  variable_name: Type.Optional(Type.String()),
  variable_value: Type.Optional(Type.String()),
  urls: Type.Optional(Type.Array(Type.Object({ url: Type.String(), operator: Operator }))),
});
export type Rule = Static<typeof Rule>;

const RuleInput = Type.Object({
  type: RuleType,
  value: Type.Optional(Text),
  operator: Type.Optional(Operator),
  condition: Type.Optional(Type.Literal('and')),
  variable_name: Type.Optional(Text),
  variable_value: Type.Optional(Text),
  urls: Type.Optional(Type.Array(Type.Object({ url: Text, operator: Type.Optional(Operator) }), { maxItems: 50 })),
});
export type RuleInput = Static<typeof RuleInput>;

export const Greeting = Type.Object({
  id: Int32(),
  active: Type.Boolean(),
  name: Type.String(),
  group: Int32(),
  rules: Type.Array(Rule),
  properties: Type.Object({
    active: oneOf('0', '1'),
    'greeting-message_text': Type.String({
      description: 'The text shown to visitors; a greeting without text is never shown',
    }),
  }),
});
export type Greeting = Static<typeof Greeting>;

const params = Type.Object({ greeting_id: Int32() });
const Rules = Type.Array(RuleInput, { maxItems: 100 });
const Properties = Type.Object({ 'greeting-message_text': Type.Optional(Type.String({ maxLength: 16_384 })) });

export const listGreetings = chatOpsOperation({
  name: 'list_greetings',
  scopes: ['greetings_read'],
  method: 'GET',
  path: '/greetings',
  summary: 'Lists greetings, optionally of one group',
  query: Type.Object({ group: Type.Optional(Int32()), ...jsonp }),
  responses: { 200: Type.Array(Greeting) },
});

export const getGreeting = chatOpsOperation({
  name: 'get_greeting',
  scopes: ['greetings_read'],
  method: 'GET',
  path: '/greetings/:greeting_id',
  summary: 'Returns a greeting',
  params,
  query: Type.Object(jsonp),
  responses: { 200: Greeting },
});

export const createGreeting = chatOpsOperation({
  name: 'create_greeting',
  scopes: ['greetings_write'],
  method: 'POST',
  path: '/greetings',
  audit: true,
  summary: 'Creates an active greeting',
  body: Type.Object({
    name: Name({ description: 'Not shown to visitors' }),
    rules: Rules,
    group: Type.Optional(Int32({ description: 'Default 0' })),
    properties: Type.Optional(Properties),
  }),
  responses: { 200: Greeting },
});

export const updateGreeting = chatOpsOperation({
  name: 'update_greeting',
  scopes: ['greetings_write'],
  method: 'PUT',
  path: '/greetings/:greeting_id',
  audit: true,
  summary: 'Updates a greeting; `rules` replaces all existing rules',
  params,
  body: Type.Object({
    name: Type.Optional(Name()),
    properties: Type.Optional(Properties),
    active: Type.Optional(Flag()),
    rules: Type.Optional(Rules),
  }),
  responses: { 200: Greeting },
});

export const deleteGreeting = chatOpsOperation({
  name: 'delete_greeting',
  scopes: ['greetings_write'],
  method: 'DELETE',
  path: '/greetings/:greeting_id',
  audit: true,
  summary: 'Deletes a greeting; its results stay in the reports',
  params,
  responses: { 200: Ok },
});

export const greetingOperations = [listGreetings, getGreeting, createGreeting, updateGreeting, deleteGreeting];
