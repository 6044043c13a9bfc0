import type { Values } from '../../page-sql.ts';
import { matchProperties, matchSet, type PropertyFilters, type SetFilter } from '../matching/set-filter.ts';
import { readQuery, toTsqueryWithNotes } from './words.ts';

interface Period {
  /** As ISO 8601; both included. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface SurveyFilter extends Period {
  type: 'prechat' | 'postchat';
  /** The id of the selected choice, or the text. */
  answers: SetFilter<string>;
  groups: SetFilter<number>;
}

export interface GreetingFilter extends Period, SetFilter<number> {
  groups: SetFilter<number>;
}

export interface ResponseFilter {
  exists?: boolean | undefined;
  /** Whether only the first response is considered. */
  first: boolean;
  agents: SetFilter<string>;
  /** Groups of the agent who responded. */
  groups: SetFilter<number>;
}

export interface SearchFilters extends Period {
  query?: string | undefined;
  threadIds?: string[] | undefined;
  groupIds?: number[] | undefined;
  properties?: PropertyFilters | undefined;
  agents?: SetFilter<string> | undefined;
  tags?: SetFilter<string> | undefined;
  goals?: SetFilter<number> | undefined;
  sales?: SetFilter<number> | undefined;
  eventTypes?: SetFilter<string> | undefined;
  surveys?: SurveyFilter[] | undefined;
  greetings?: GreetingFilter | undefined;
  agentResponse?: ResponseFilter | undefined;
}

/** In these conditions `$1` is the organization, `t` a thread, `c` its chat and `k` its customer. */
const ofThread = (alias: string): string => `${alias}.organization_id = $1 and ${alias}.thread_id = t.id`;

const AGENTS = `array(select g.agent_id from thread_agents g where ${ofThread('g')})`;
const EVENT_TYPES = `array(select e.type from events e where ${ofThread('e')})`;
const GOALS = `array(select h.goal_id from goal_hits h where ${ofThread('h')})`;
const SALES = `array(select h.goal_id from goal_hits h where ${ofThread('h')} and h.sale is not null)`;
const GREETINGS = `array_remove(array[(t.properties -> 'lc2' ->> 'greeting_id')::bigint], null)`;

const within = (column: string, { from, to }: Period, { add }: Values): string[] => [
  ...(from === undefined ? [] : [`${column} >= ${add(from)}::timestamptz`]),
  ...(to === undefined ? [] : [`${column} <= ${add(to)}::timestamptz`]),
];

/** All words occur in messages, in notes, or in the customer's name or email. The last word may be a prefix. */
const withText = (organizationId: string, text: string, { add }: Values): string => {
  const query = toTsqueryWithNotes(organizationId, readQuery(text));
  if (query === undefined) return 'false';
  return `t.id in (
    select a.thread_id from archive_entries a where a.organization_id = $1 and a.words @@ ${add(query)}::tsquery)`;
};

const withSurvey = ({ type, answers, groups, ...period }: SurveyFilter, values: Values): string[] => {
  const form = [ofThread('e'), `e.type = 'filled_form'`, `e.content ->> 'formType' = ${values.add(type)}`];
  const where = [...form, ...within('e.created_at', period, values)].join(' and ');
  // A choice has an id, several choices are a list, and any other answer is text.
  const answerValues = `array(select coalesce(a.answer ->> 'id', a.answer #>> '{}')
    from events e, jsonb_path_query(e.content, 'lax $.fields[*].keyvalue() ? (@.key == "answer" || @.key == "answers").value[*]') a(answer)
    where ${where})`;
  const { exists = true, ...answerFilter } = answers;
  return [
    `exists (select from events e where ${where}) = ${values.add(exists)}`,
    ...matchSet(answerValues, 'text', answerFilter, values),
    ...matchSet('t.group_ids', 'int', groups, values),
  ];
};

const withResponse = ({ exists, first, agents, groups }: ResponseFilter, values: Values): string[] => {
  const answering = `array(select e.author_id from events e
    where ${ofThread('e')} and e.author_kind = 'agent' and e.visibility = 'all' and e.type <> 'system_message'
    order by e.number ${first ? 'limit 1' : ''})`;
  const groupsOf = `array(select m.group_id from agent_groups m where m.organization_id = $1 and m.agent_id = any (${answering}))`;
  return [...matchSet(answering, 'text', { ...agents, exists }, values), ...matchSet(groupsOf, 'int', groups, values)];
};

const withGreeting = ({ from, to, groups, ...greetings }: GreetingFilter, values: Values): string[] => [
  ...matchSet(GREETINGS, 'bigint', greetings, values),
  ...matchSet('t.group_ids', 'int', groups, values),
  ...within('t.created_at', { from, to }, values),
];

/** The SQL conditions for these filters. */
export const searchConditions = (organizationId: string, filters: SearchFilters, values: Values): string[] => {
  const { query, threadIds, groupIds, properties, surveys = [], greetings, agentResponse } = filters;
  const conditions = within('t.created_at', filters, values);
  if (query !== undefined) conditions.push(withText(organizationId, query, values));
  if (threadIds) conditions.push(`t.id = any (${values.add(threadIds)}::text[])`);
  if (groupIds) conditions.push(`t.group_ids && ${values.add(groupIds)}::int[]`);
  if (properties) conditions.push(...matchProperties('t.properties', properties, values));
  conditions.push(...matchSet(AGENTS, 'text', filters.agents ?? {}, values));
  conditions.push(...matchSet('t.tags', 'text', filters.tags ?? {}, values));
  conditions.push(...matchSet(GOALS, 'int', filters.goals ?? {}, values));
  conditions.push(...matchSet(SALES, 'int', filters.sales ?? {}, values));
  conditions.push(...matchSet(EVENT_TYPES, 'text', filters.eventTypes ?? {}, values));
  for (const survey of surveys) conditions.push(...withSurvey(survey, values));
  if (greetings) conditions.push(...withGreeting(greetings, values));
  if (agentResponse) conditions.push(...withResponse(agentResponse, values));
  return conditions;
};
