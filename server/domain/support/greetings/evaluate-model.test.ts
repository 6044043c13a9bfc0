import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, nextCheckIn, type VisitorState } from './evaluate.ts';
import { checkRule, completeRule, type Operator, operators, type Rule, type RuleDraft, ruleTypes } from './rules.ts';

const now = Date.parse('2026-10-25T00:30:00Z');
/** Few characters, so that equal and contained texts occur often enough. */
const word = fc.string({
  unit: fc.constantFrom('a', 'b', '.', '*', '(', '[', '\\', '👟', 'ש'),
  minLength: 1,
  maxLength: 3,
});
const slug = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '(', 'ש'), minLength: 1, maxLength: 3 });
const small = fc.nat(6).map(String);
const operator = fc.constantFrom(...operators);
const urlOf = (path: string): string => `https://shop.example/${path}`;
const url = slug.map(urlOf);

const draft: fc.Arbitrary<RuleDraft> = fc
  .record({
    type: fc.constantFrom(...ruleTypes),
    operator,
    value: fc.oneof(small, word, url),
    variableName: fc.constantFrom('x', 'y', 'constructor'),
    variableValue: fc.oneof(small, word),
    urls: fc.array(fc.record({ url: fc.oneof(url, slug), operator }), { minLength: 1, maxLength: 4 }),
  })
  .filter((rule) => checkRule(rule) === undefined);
const rules = fc.array(draft.map(completeRule), { maxLength: 4 });

const secondsAgo = fc.integer({ min: 0, max: 8000 }).map((ms) => new Date(now - ms));
const visitor: fc.Arbitrary<VisitorState> = fc.record(
  {
    now: fc.constant(new Date(now)),
    visitStartedAt: secondsAgo,
    visitsNumber: fc.nat(6),
    pages: fc.array(fc.record({ url, openedAt: secondsAgo }), { maxLength: 6 }),
    referrer: url,
    searchKeyword: word,
    geolocation: fc.record({ country: word, city: word }, { requiredKeys: [] }),
    customVariables: fc.dictionary(fc.constantFrom('x', 'y', 'constructor'), fc.oneof(small, word)),
  },
  { requiredKeys: ['now', 'visitStartedAt', 'visitsNumber', 'pages', 'customVariables'] },
);

const order: Record<string, <T extends number | string>(one: T, other: T) => boolean> = {
  equals: (one, other) => one === other,
  doesnt_equal: (one, other) => one !== other,
  lower_than: (one, other) => one < other,
  lower_or_equal: (one, other) => one <= other,
  greater_than: (one, other) => one > other,
  greater_or_equal: (one, other) => one >= other,
};
const isNumber = (text: string): boolean => /^\d+$/.test(text);
const texts = (how: Operator, candidates: string[], value: string): boolean => {
  if (how.includes('er_')) {
    return isNumber(value)
      ? candidates.some((text) => isNumber(text) && order[how]!(Number(text), Number(value)))
      : candidates.some((text) => text !== '' && order[how]!(text, value));
  }
  const positive =
    how.endsWith('equal') || how === 'equals' ? (one: string) => one === value : (one: string) => one.includes(value);
  return how.startsWith('doesnt') ? !candidates.some(positive) : candidates.some(positive);
};
const addresses = (how: Operator, pages: string[], value: string): boolean => {
  if (!how.includes('er_')) return texts(how, pages, value);
  const bare = (text: string): string => text.replace('https://', '');
  return pages.some((page) => page !== '' && order[how]!(bare(page), bare(value)));
};
/** Tries every assignment of steps to different pages. */
const funnel = (steps: { url: string; operator: Operator }[], pages: string[]): boolean =>
  steps.length === 0 ||
  pages.some(
    (page, at) => addresses(steps[0]!.operator, [page], steps[0]!.url) && funnel(steps.slice(1), pages.slice(at + 1)),
  );

const model = (rule: Rule, state: VisitorState): boolean => {
  const pages = state.pages.map((page) => page.url);
  if (rule.type === 'url_funnel') return funnel(rule.urls, pages);
  if (rule.type === 'custom_variable') {
    const value = Object.entries(state.customVariables).find(([name]) => name === rule.variableName)?.[1] ?? '';
    return texts(rule.operator, [value], rule.variableValue);
  }
  const time = rule.operator.startsWith('doesnt')
    ? 'lower_than'
    : rule.operator.includes('er_')
      ? rule.operator
      : 'greater_or_equal';
  const count = (number: number): boolean =>
    rule.operator.includes('contain')
      ? texts(rule.operator, [String(number)], rule.value)
      : order[rule.operator]!(number, Number(rule.value));
  const since = (start: Date): boolean => order[time]!(now - start.getTime(), Number(rule.value) * 1000);
  const { city, country } = state.geolocation ?? {};
  const places = [city, country, city && country ? `${city}, ${country}` : undefined].filter(
    (place) => place !== undefined,
  );
  switch (rule.type) {
    case 'visit_time_site':
      return since(state.visitStartedAt);
    case 'visit_time_page':
      return since(state.pages.at(-1)?.openedAt ?? state.visitStartedAt);
    case 'pages_view_number':
      return count(pages.length);
    case 'visits_number':
      return count(state.visitsNumber);
    case 'url_current':
      return addresses(rule.operator, pages.slice(-1), rule.value);
    case 'url_visited':
      return addresses(rule.operator, pages, rule.value);
    case 'url_referrer':
      return addresses(rule.operator, [state.referrer ?? ''], rule.value);
    case 'geolocation':
      return texts(rule.operator, places, rule.value);
    case 'search_keyword':
      return texts(rule.operator, [state.searchKeyword ?? ''], rule.value);
  }
};

const opposites: [Operator, Operator][] = [
  ['equals', 'doesnt_equal'],
  ['contains', 'doesnt_contain'],
  ['lower_than', 'greater_or_equal'],
  ['lower_or_equal', 'greater_than'],
];

describe('evaluating rules', () => {
  it('agrees with a brute-force model', () => {
    fc.assert(
      fc.property(rules, visitor, (all, state) => {
        expect(matches(all, state)).toBe(all.length > 0 && all.every((rule) => model(rule, state)));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives opposite results for opposite operators', () => {
    fc.assert(
      fc.property(draft, fc.constantFrom(...opposites), visitor, (rule, [one, other], state) => {
        const both = [one, other].map((how) => ({ ...rule, operator: how }));
        fc.pre(rule.type !== 'url_funnel' && both.every((each) => checkRule(each) === undefined));
        const [first, second] = both.map((each) => matches([completeRule(each)], state));
        // Of several pages or places one may be lower and another greater; unknown values are neither.
        const ordered = !one.startsWith('lower') || rule.type.endsWith('_number') || rule.type.startsWith('visit_time');
        if (ordered) expect(second).toBe(!first);
        else if (!['url_visited', 'geolocation'].includes(rule.type)) expect(first && second).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it('matches at the next check and not before', () => {
    const waiting = fc.array(
      fc.record({
        type: fc.constantFrom('visit_time_site' as const, 'visit_time_page' as const),
        operator,
        value: fc.nat(12).map(String),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(waiting, rules, visitor, (times, others, state) => {
        const all = [...times.map(completeRule), ...others.slice(0, 1)];
        const after = (ms: number): boolean => matches(all, { ...state, now: new Date(now + ms) });
        const next = nextCheckIn(all, state);
        // Every time at which a time rule can change its result, and the times just before and after it.
        const moments = all.flatMap((rule) =>
          rule.type === 'visit_time_site' || rule.type === 'visit_time_page'
            ? [state.visitStartedAt, state.pages.at(-1)?.openedAt ?? state.visitStartedAt].flatMap((start) =>
                [-1, 0, 1].map((beside) => start.getTime() + Number(rule.value) * 1000 - now + beside),
              )
            : [],
        );
        const first = [0, ...moments.filter((ms) => ms > 0).sort((one, other) => one - other), 20_000].find(after);
        expect(next).toBe(first === undefined ? undefined : first / 1000);
      }),
      { numRuns: 1000 },
    );
  });
});
