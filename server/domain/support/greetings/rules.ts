import type { FieldError } from '../../errors.ts';
import { foldText } from '../matching/texts.ts';

const timeTypes = ['visit_time_site', 'visit_time_page'] as const;
const countTypes = ['pages_view_number', 'visits_number'] as const;
const urlTypes = ['url_current', 'url_visited', 'url_referrer'] as const;
const textTypes = ['geolocation', 'search_keyword'] as const;
export const ruleTypes = [
  ...[...timeTypes, ...countTypes, ...urlTypes, ...textTypes],
  ...(['custom_variable', 'url_funnel'] as const),
] as const;

const orderings = ['lower_than', 'lower_or_equal', 'greater_than', 'greater_or_equal'] as const;
const equalities = ['equals', 'doesnt_equal'] as const;
const searches = ['contains', 'doesnt_contain'] as const;
export const operators = [...equalities, ...orderings, ...searches] as const;

export type TimeRuleType = (typeof timeTypes)[number];
export type RuleType = (typeof ruleTypes)[number];
export type Operator = (typeof operators)[number];
export type Ordering = (typeof orderings)[number];

export interface FunnelStep {
  url: string;
  operator: Operator;
}

export interface ValueRule {
  type: Exclude<RuleType, 'custom_variable' | 'url_funnel'>;
  operator: Operator;
  value: string;
}

export interface VariableRule {
  type: 'custom_variable';
  operator: Operator;
  variableName: string;
  variableValue: string;
}

export interface FunnelRule {
  type: 'url_funnel';
  urls: FunnelStep[];
}

/** A condition on a visitor. Rules are always combined with `and`. */
export type Rule = ValueRule | VariableRule | FunnelRule;

/** A rule as its author defines it; the default operator is `equals`. */
export interface RuleDraft {
  type: RuleType;
  operator?: Operator;
  value?: string;
  variableName?: string;
  variableValue?: string;
  urls?: { url: string; operator?: Operator }[];
}

const MAX_RULES = 100;
const MAX_STEPS = 50;
const MAX_CHARACTERS = 2048;
/** Eleven days in seconds, which fits a timer. */
const MAX_NUMBER = 1_000_000;

const includes = <T>(list: readonly T[], item: unknown): item is T => (list as readonly unknown[]).includes(item);

export const isTimeRule = (rule: Rule): rule is ValueRule & { type: TimeRuleType } => includes(timeTypes, rule.type);

export const isOrdering = (operator: Operator): operator is Ordering => includes(orderings, operator);

/** Accepts plain decimals only: neither `1e9`, `0x10`, `Infinity` nor an empty text. */
export const readNumber = (text: string): number | undefined =>
  /^\s*-?\d{1,15}(\.\d{1,6})?\s*$/.test(text) ? Number(text) : undefined;

/** Direct visitors have no referrer, and most have no keyword or variable: equal to empty matches them. */
const canBeEmpty = (type: RuleType): boolean => includes(['url_referrer', 'search_keyword', 'custom_variable'], type);

const checkText = (field: string, type: RuleType, operator: Operator, value: string): FieldError | undefined => {
  if (value.length > MAX_CHARACTERS) return { field, message: `must not exceed ${MAX_CHARACTERS} characters` };
  if (foldText(value) === '' && !(canBeEmpty(type) && includes(equalities, operator))) {
    return { field, message: 'must not be empty' };
  }
};

const checkNumber = (field: string, value: string): FieldError | undefined => {
  const number = readNumber(value);
  if (number === undefined || number < 0 || number > MAX_NUMBER) {
    return { field, message: `must be a number from 0 to ${MAX_NUMBER}` };
  }
};

const checkFunnel = (field: string, urls: RuleDraft['urls'] = []): FieldError | undefined => {
  if (urls.length === 0) return { field, message: 'must not be empty' };
  if (urls.length > MAX_STEPS) return { field, message: `must not have more than ${MAX_STEPS} steps` };
  for (const [index, { url, operator = 'equals' }] of urls.entries()) {
    const step = `${field}.${index}`;
    const error = checkText(`${step}.url`, 'url_funnel', operator, url);
    if (error) return error;
  }
};

/** Returns why a rule is invalid, with the field name its author knows. Every type accepts every operator. */
export const checkRule = (rule: RuleDraft, field = 'rule'): FieldError | undefined => {
  const { type, operator = 'equals', value } = rule;
  if (type === 'url_funnel') return checkFunnel(`${field}.urls`, rule.urls);
  if (type === 'custom_variable') {
    const name = rule.variableName ?? '';
    if (name.trim() === '' || name.length > MAX_CHARACTERS) {
      return { field: `${field}.variable_name`, message: `must have 1 to ${MAX_CHARACTERS} characters` };
    }
    if (rule.variableValue === undefined) return { field: `${field}.variable_value`, message: 'is required' };
    return checkText(`${field}.variable_value`, type, operator, rule.variableValue);
  }
  if (value === undefined) return { field: `${field}.value`, message: 'is required' };
  const numeric = includes([...timeTypes, ...countTypes], type);
  return numeric ? checkNumber(`${field}.value`, value) : checkText(`${field}.value`, type, operator, value);
};

/** A greeting without rules is valid: it is inactive until it gets some. */
export const checkRules = (rules: readonly RuleDraft[]): FieldError[] => {
  if (rules.length > MAX_RULES) return [{ field: 'rules', message: `must not have more than ${MAX_RULES} items` }];
  return rules.flatMap((rule, index) => checkRule(rule, `rules.${index}`) ?? []);
};

/** Converts a valid draft to a rule. */
export const completeRule = (draft: RuleDraft): Rule => {
  const { type, operator = 'equals', value = '', variableName = '', variableValue = '', urls = [] } = draft;
  if (type === 'custom_variable') return { type, operator, variableName, variableValue };
  if (type !== 'url_funnel') return { type, operator, value };
  return { type, urls: urls.map((step) => ({ url: step.url, operator: step.operator ?? 'equals' })) };
};
