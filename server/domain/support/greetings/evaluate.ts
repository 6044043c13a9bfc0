import { type Address, createAddressMatcher, readAddress } from '../matching/addresses.ts';
import { readValue } from '../matching/texts.ts';
import { addressMatches, inOrder, isNegative, numberMatches, textMatches } from './operators.ts';
import {
  type FunnelStep,
  isOrdering,
  isTimeRule,
  type Operator,
  type Ordering,
  type Rule,
  readNumber,
  type TimeRuleType,
  type ValueRule,
  type VariableRule,
} from './rules.ts';
import { searchKeywordOf } from './search-keyword.ts';

/** The state of a visit that rules are evaluated against. */
export interface VisitorState {
  now: Date;
  visitStartedAt: Date;
  /** Number of visits, including this one. */
  visitsNumber: number;
  /** The pages of this visit in the order they were opened; the last one is open now. */
  pages: readonly { url: string; title?: string; openedAt: Date }[];
  /** The total number of pages, if `pages` is incomplete. */
  pagesNumber?: number;
  referrer?: string;
  /** When absent, it is derived from the referrer. */
  searchKeyword?: string;
  geolocation?: { country?: string; countryCode?: string; region?: string; city?: string };
  customVariables: Record<string, string>;
}

/** Only the latest pages count, and their characters are limited, so that every visit is cheap to evaluate. */
const MAX_PAGES = 1000;
const MAX_CHARACTERS = 65_536;

interface Visit {
  state: VisitorState;
  addresses(): readonly Address[];
}

const readLatest = (pages: VisitorState['pages']): Address[] => {
  const latest: Address[] = [];
  let characters = 0;
  for (const { url } of pages.slice(-MAX_PAGES).toReversed()) {
    const address = readAddress(url);
    characters += address.full.length;
    if (characters > MAX_CHARACTERS) break;
    latest.push(address);
  }
  return latest.reverse();
};

const open = (state: VisitorState): Visit => {
  let addresses: readonly Address[] | undefined;
  return {
    state,
    addresses: () => (addresses ??= readLatest(state.pages)),
  };
};

const variableMatches = ({ operator, variableName, variableValue }: VariableRule, { state }: Visit): boolean =>
  textMatches(operator, [readValue(state.customVariables, variableName)], variableValue);

/** Steps must match in order, each on a separate page; other pages may lie in between. */
const funnelMatches = (urls: readonly FunnelStep[], visit: Visit): boolean => {
  const steps = urls.map(({ url, operator }) => ({ operator, matcher: createAddressMatcher(url) }));
  let reached = 0;
  for (const page of visit.addresses()) {
    const step = steps[reached];
    if (!step) break;
    if (addressMatches(step.operator, [page], step.matcher)) reached += 1;
  }
  return reached === steps.length;
};

const placeNames = ({ geolocation: at = {} }: VisitorState): string[] => {
  const join = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(', ');
  const { city, region, country, countryCode } = at;
  return [city, region, country, countryCode, join(city, country), join(city, region, country)].filter(
    (place) => place !== undefined,
  );
};

const startTimeOf = (type: TimeRuleType, { visitStartedAt, pages }: VisitorState): number =>
  ((type === 'visit_time_page' && pages.at(-1)?.openedAt) || visitStartedAt).getTime();

/**
 * Rules are not evaluated at an exact second, so for times `equals`, the default operator, and `contains` mean that the
 * time has come; `doesnt_equal` and `doesnt_contain` mean that it has not.
 */
const timeOrdering = (operator: Operator): Ordering =>
  isOrdering(operator) ? operator : isNegative(operator) ? 'lower_than' : 'greater_or_equal';

const toMilliseconds = (value: string): number => Math.round((readNumber(value) ?? Number.NaN) * 1000);

const valueMatches = (rule: ValueRule, visit: Visit): boolean => {
  const { state } = visit;
  const { type, operator, value } = rule;
  switch (type) {
    case 'visit_time_site':
    case 'visit_time_page':
      return inOrder(timeOrdering(operator), state.now.getTime() - startTimeOf(type, state), toMilliseconds(value));
    case 'pages_view_number':
      return numberMatches(operator, state.pagesNumber ?? state.pages.length, readNumber(value) ?? Number.NaN);
    case 'visits_number':
      return numberMatches(operator, state.visitsNumber, readNumber(value) ?? Number.NaN);
    case 'url_current':
      return addressMatches(operator, visit.addresses().slice(-1), createAddressMatcher(value));
    case 'url_visited':
      return addressMatches(operator, visit.addresses(), createAddressMatcher(value));
    case 'url_referrer':
      return addressMatches(operator, [readAddress(state.referrer ?? '')], createAddressMatcher(value));
    case 'geolocation':
      return textMatches(operator, placeNames(state), value);
    case 'search_keyword':
      return textMatches(operator, [state.searchKeyword ?? searchKeywordOf(state.referrer ?? '') ?? ''], value);
  }
};

const ruleMatches = (rule: Rule, visit: Visit): boolean => {
  if (rule.type === 'custom_variable') return variableMatches(rule, visit);
  if (rule.type === 'url_funnel') return funnelMatches(rule.urls, visit);
  return valueMatches(rule, visit);
};

/**
 * Whether all rules match. A greeting without rules matches no visitor: it is unfinished, and would match every visitor.
 */
export const matches = (rules: readonly Rule[], visitor: VisitorState): boolean => {
  const visit = open(visitor);
  return rules.length > 0 && rules.every((rule) => ruleMatches(rule, visit));
};

/** The remaining time until a time rule matches by waiting. */
const waitFor = (rule: Rule, visitor: VisitorState): number => {
  if (!isTimeRule(rule)) return 0;
  const ordering = timeOrdering(rule.operator);
  if (ordering === 'lower_than' || ordering === 'lower_or_equal') return 0;
  const due = startTimeOf(rule.type, visitor) + toMilliseconds(rule.value) + (ordering === 'greater_than' ? 1 : 0);
  return due - visitor.now.getTime();
};

/**
 * Seconds until the rules match if the visitor does nothing: 0 if they match now, undefined if waiting does not help.
 * Time rules change only once, so it is sufficient to check when the last one starts to match.
 */
export const nextCheckIn = (rules: readonly Rule[], visitor: VisitorState): number | undefined => {
  const wait = Math.max(0, ...rules.map((rule) => waitFor(rule, visitor)));
  const now = new Date(visitor.now.getTime() + wait);
  return matches(rules, { ...visitor, now }) ? wait / 1000 : undefined;
};
