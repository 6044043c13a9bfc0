import { type Address, readAddress, seekAddress } from '../matching/addresses.ts';
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

/** What is known of a visit while it goes on. */
export interface VisitorState {
  now: Date;
  visitStartedAt: Date;
  /** How many times the visitor has come, this visit included. */
  visitsNumber: number;
  /** The pages of this visit, in the order they were opened; the last one is open now. */
  pages: readonly { url: string; title?: string; openedAt: Date }[];
  /** How many there were, when not all of them are given. */
  pagesNumber?: number;
  referrer?: string;
  /** When absent, it is read from the referrer. */
  searchKeyword?: string;
  geolocation?: { country?: string; countryCode?: string; region?: string; city?: string };
  customVariables: Record<string, string>;
}

/** Of a longer visit the latest pages count; the letters are limited too, so that no visit is costly to look at. */
const MAX_PAGES = 1000;
const MAX_LETTERS = 65_536;

interface Visit {
  state: VisitorState;
  addresses(): readonly Address[];
}

const readLatest = (pages: VisitorState['pages']): Address[] => {
  const latest: Address[] = [];
  let letters = 0;
  for (const { url } of pages.slice(-MAX_PAGES).toReversed()) {
    const address = readAddress(url);
    letters += address.full.length;
    if (letters > MAX_LETTERS) break;
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

/** The steps in their order; other pages may lie between them, and each step takes a page of its own. */
const funnelMatches = (urls: readonly FunnelStep[], visit: Visit): boolean => {
  const steps = urls.map(({ url, operator }) => ({ operator, sought: seekAddress(url) }));
  let reached = 0;
  for (const page of visit.addresses()) {
    const step = steps[reached];
    if (!step) break;
    if (addressMatches(step.operator, [page], step.sought)) reached += 1;
  }
  return reached === steps.length;
};

const placesOf = ({ geolocation: at = {} }: VisitorState): string[] => {
  const join = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(', ');
  const { city, region, country, countryCode } = at;
  return [city, region, country, countryCode, join(city, country), join(city, region, country)].filter(
    (place) => place !== undefined,
  );
};

const clockOf = (type: TimeRuleType, { visitStartedAt, pages }: VisitorState): number =>
  ((type === 'visit_time_page' && pages.at(-1)?.openedAt) || visitStartedAt).getTime();

/**
 * Nobody looks at the very moment a clock shows a number, and `equals` is what a rule without an operator says: for
 * times it means that the moment has come, `doesnt_equal` that it has not; so do `contains` and `doesnt_contain`.
 */
const timeOrdering = (operator: Operator): Ordering =>
  isOrdering(operator) ? operator : isNegative(operator) ? 'lower_than' : 'greater_or_equal';

const milliseconds = (value: string): number => Math.round((readNumber(value) ?? Number.NaN) * 1000);

const valueMatches = (rule: ValueRule, visit: Visit): boolean => {
  const { state } = visit;
  const { type, operator, value } = rule;
  switch (type) {
    case 'visit_time_site':
    case 'visit_time_page':
      return inOrder(timeOrdering(operator), state.now.getTime() - clockOf(type, state), milliseconds(value));
    case 'pages_view_number':
      return numberMatches(operator, state.pagesNumber ?? state.pages.length, readNumber(value) ?? Number.NaN);
    case 'visits_number':
      return numberMatches(operator, state.visitsNumber, readNumber(value) ?? Number.NaN);
    case 'url_current':
      return addressMatches(operator, visit.addresses().slice(-1), seekAddress(value));
    case 'url_visited':
      return addressMatches(operator, visit.addresses(), seekAddress(value));
    case 'url_referrer':
      return addressMatches(operator, [readAddress(state.referrer ?? '')], seekAddress(value));
    case 'geolocation':
      return textMatches(operator, placesOf(state), value);
    case 'search_keyword':
      return textMatches(operator, [state.searchKeyword ?? searchKeywordOf(state.referrer ?? '') ?? ''], value);
  }
};

const ruleMatches = (rule: Rule, visit: Visit): boolean => {
  if (rule.type === 'custom_variable') return variableMatches(rule, visit);
  if (rule.type === 'url_funnel') return funnelMatches(rule.urls, visit);
  return valueMatches(rule, visit);
};

/** Whether all rules hold. A greeting without rules greets nobody: it is not finished, and would meet everyone. */
export const matches = (rules: readonly Rule[], visitor: VisitorState): boolean => {
  const visit = open(visitor);
  return rules.length > 0 && rules.every((rule) => ruleMatches(rule, visit));
};

/** How long a time rule that only needs patience still needs it. */
const waitFor = (rule: Rule, visitor: VisitorState): number => {
  if (!isTimeRule(rule)) return 0;
  const ordering = timeOrdering(rule.operator);
  if (ordering === 'lower_than' || ordering === 'lower_or_equal') return 0;
  const due = clockOf(rule.type, visitor) + milliseconds(rule.value) + (ordering === 'greater_than' ? 1 : 0);
  return due - visitor.now.getTime();
};

/**
 * In how many seconds the rules will hold if the visitor does nothing else: 0 when they do now, undefined when waiting
 * alone does not help. Times only begin or cease to hold, so the first moment when none has to begin decides.
 */
export const nextCheckIn = (rules: readonly Rule[], visitor: VisitorState): number | undefined => {
  const wait = Math.max(0, ...rules.map((rule) => waitFor(rule, visitor)));
  const then = new Date(visitor.now.getTime() + wait);
  return matches(rules, { ...visitor, now: then }) ? wait / 1000 : undefined;
};
