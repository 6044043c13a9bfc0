import type { Rule, RuleInput } from '#contracts/chat-ops/greetings.ts';
import type { FieldErrors } from '../../../editing/field-errors.ts';
import { t } from '../t.ts';

export type RuleType = Rule['type'];
export type Operator = NonNullable<RuleInput['operator']>;
type Kind = 'number' | 'text' | 'address' | 'variable' | 'funnel';

export interface RuleDraft {
  /** React key; not sent to the server. */
  key: string;
  type: RuleType;
  operator: Operator;
  value: string;
  variableName: string;
  steps: { key: string; url: string; operator: Operator }[];
}

export const RULE_TYPES: Record<RuleType, { label: string; kind: Kind; unit?: string; example?: string }> = {
  visit_time_site: { label: t('timeOnSite'), kind: 'number', unit: t('unit.seconds') },
  visit_time_page: { label: t('timeOnPage'), kind: 'number', unit: t('unit.seconds') },
  url_current: { label: t('currentPage'), kind: 'address', example: 'shop.example/cart' },
  url_visited: { label: t('visitedPage'), kind: 'address', example: 'shop.example/prices' },
  pages_view_number: { label: t('pagesViewedInThisVisit'), kind: 'number', unit: t('unit.pages') },
  url_referrer: { label: t('referrer'), kind: 'address', example: 'search.example' },
  geolocation: { label: t('location'), kind: 'text', example: t('poland') },
  visits_number: { label: t('numberOfVisits'), kind: 'number', unit: t('unit.visits') },
  search_keyword: { label: t('searchKeyword'), kind: 'text', example: t('winterCoat') },
  custom_variable: { label: t('customVariable'), kind: 'variable' },
  url_funnel: { label: t('sequenceOfVisitedPages'), kind: 'funnel' },
};

export const OPERATORS: Record<Operator, string> = {
  equals: t('operator.equals'),
  doesnt_equal: t('isNot'),
  contains: t('contains'),
  doesnt_contain: t('doesNotContain'),
  greater_than: t('isMoreThan'),
  greater_or_equal: t('isAtLeast'),
  lower_than: t('isLessThan'),
  lower_or_equal: t('isAtMost'),
};

const EQUALITIES: Operator[] = ['equals', 'doesnt_equal'];
const SEARCHES: Operator[] = ['contains', 'doesnt_contain'];
const ORDERINGS: Operator[] = ['greater_or_equal', 'greater_than', 'lower_or_equal', 'lower_than'];

/** Operators that make sense for a type. The API accepts every combination. */
const OPERATORS_OF: Record<Kind, Operator[]> = {
  number: [...ORDERINGS, ...EQUALITIES],
  text: [...SEARCHES, ...EQUALITIES],
  address: [...SEARCHES, ...EQUALITIES],
  funnel: [...SEARCHES, ...EQUALITIES],
  variable: [...EQUALITIES, ...SEARCHES, ...ORDERINGS],
};

export const operatorsOf = (type: RuleType): Operator[] => OPERATORS_OF[RULE_TYPES[type].kind];

/** Includes the current operator, which the API may have set to one that is not offered here. */
export const operatorChoices = (type: RuleType, current: Operator): { value: Operator; label: string }[] =>
  [...new Set([...operatorsOf(type), current])].map((value) => ({ value, label: OPERATORS[value] }));

let last = 0;
const newKey = (): string => `k${++last}`;

export const newStep = (): RuleDraft['steps'][number] => ({ key: newKey(), url: '', operator: 'contains' });

export const newRule = (type: RuleType = 'visit_time_site'): RuleDraft => ({
  key: newKey(),
  type,
  operator: operatorsOf(type)[0]!,
  value: type === 'visit_time_site' ? '30' : '',
  variableName: '',
  steps: type === 'url_funnel' ? [newStep(), newStep()] : [],
});

/** Changes the type and keeps the operator and value where they still apply. */
export const changeType = (rule: RuleDraft, type: RuleType): RuleDraft => {
  const fresh = newRule(type);
  const isAllowed = operatorsOf(type).includes(rule.operator);
  const hasSameKind = RULE_TYPES[type].kind === RULE_TYPES[rule.type].kind;
  return {
    ...fresh,
    key: rule.key,
    ...(isAllowed && { operator: rule.operator }),
    ...(hasSameKind && { value: rule.value }),
  };
};

export const readRule = (rule: Rule): RuleDraft => ({
  ...newRule(rule.type),
  operator: rule.operator ?? 'equals',
  value: (rule.type === 'custom_variable' ? rule.variable_value : rule.value) ?? '',
  variableName: rule.variable_name ?? '',
  steps: (rule.urls ?? []).map(({ url, operator }) => ({ key: newKey(), url, operator })),
});

export const writeRule = ({ type, operator, value, variableName, steps }: RuleDraft): RuleInput => {
  switch (RULE_TYPES[type].kind) {
    case 'funnel':
      return { type, urls: steps.map(({ url, operator: how }) => ({ url: url.trim(), operator: how })) };
    case 'variable':
      return { type, operator, variable_name: variableName.trim(), variable_value: value };
    case 'number':
      return { type, operator, value: value.trim() };
    default:
      return { type, operator, value };
  }
};

const MAX_NUMBER = 1_000_000;
const EMPTY = t('required');

/** `equals` with an empty value matches visitors without one. */
const canBeEmpty = ({ type, operator }: RuleDraft): boolean =>
  ['url_referrer', 'search_keyword', 'custom_variable'].includes(type) && EQUALITIES.includes(operator);

const checkValue = (rule: RuleDraft): string | undefined => {
  const { kind } = RULE_TYPES[rule.type];
  const isPlain = /^\s*-?\d{1,15}(\.\d{1,6})?\s*$/.test(rule.value);
  const number = Number(rule.value);
  if (kind === 'number')
    return isPlain && number >= 0 && number <= MAX_NUMBER
      ? undefined
      : t('enterANumberFromMin', { min: 0, max: MAX_NUMBER });
  return rule.value.trim() === '' && !canBeEmpty(rule) ? EMPTY : undefined;
};

/** Uses the field paths of the server, so its validation errors appear at the same fields. */
export const checkRules = (rules: RuleDraft[]): FieldErrors => {
  const errors: FieldErrors = {};
  for (const [index, rule] of rules.entries()) {
    const at = `rules.${index}`;
    if (rule.type === 'url_funnel') {
      if (rule.steps.length === 0) errors[`${at}.urls`] = t('addAtLeastOnePage');
      for (const [step, { url }] of rule.steps.entries()) {
        if (url.trim() === '') errors[`${at}.urls.${step}.url`] = EMPTY;
      }
      continue;
    }
    const isVariable = rule.type === 'custom_variable';
    const errorFor = checkValue(rule);
    if (errorFor) errors[isVariable ? `${at}.variable_value` : `${at}.value`] = errorFor;
    if (isVariable && rule.variableName.trim() === '') errors[`${at}.variable_name`] = EMPTY;
  }
  return errors;
};

const quote = (text: string): string => (text === '' ? t('empty') : t('quoted', { text }));

/** Describes a rule as a sentence. */
export const describeRule = (rule: RuleDraft): string => {
  const { label, kind, unit } = RULE_TYPES[rule.type];
  if (kind === 'funnel') {
    const steps = rule.steps.map(({ url, operator }) => `${OPERATORS[operator]} ${quote(url)}`);
    return `${label}: ${steps.join(' → ')}`;
  }
  const what = kind === 'variable' ? t('variableName', { name: quote(rule.variableName) }) : label;
  return `${what} ${OPERATORS[rule.operator]} ${kind === 'number' ? `${rule.value} ${unit}` : quote(rule.value)}`;
};
