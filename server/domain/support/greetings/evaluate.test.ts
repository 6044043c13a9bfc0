import { describe, expect, it } from 'vitest';
import { matches, nextCheckIn, type VisitorState } from './evaluate.ts';
import { completeRule, type RuleDraft } from './rules.ts';

const now = new Date('2026-03-29T01:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const page = (url: string, secondsAgo = 0) => ({ url: `https://shop.example${url}`, openedAt: ago(secondsAgo) });

const visitor: VisitorState = {
  now,
  visitStartedAt: ago(60),
  visitsNumber: 3,
  pages: [page('/', 60), page('/shoes?size=42', 40), page('/cart/', 10)],
  referrer: 'https://www.google.com/search?q=Red+Shoes',
  geolocation: { country: 'Poland', countryCode: 'PL', region: 'Lower Silesia', city: 'Wrocław' },
  customVariables: { plan: 'Gold', total: '120.50', note: '👟 שלום' },
};
const holds = (drafts: RuleDraft | RuleDraft[], state: Partial<VisitorState> = {}): boolean =>
  matches([drafts].flat().map(completeRule), { ...visitor, ...state });
const checkIn = (drafts: RuleDraft[], state: Partial<VisitorState> = {}): number | undefined =>
  nextCheckIn(drafts.map(completeRule), { ...visitor, ...state });

describe('a rule about', () => {
  const table: [rule: RuleDraft, holds: boolean][] = [
    [{ type: 'visit_time_site', value: '60' }, true],
    [{ type: 'visit_time_site', value: '60', operator: 'greater_than' }, false],
    [{ type: 'visit_time_site', value: '59.999', operator: 'greater_than' }, true],
    [{ type: 'visit_time_site', value: '61', operator: 'doesnt_equal' }, true],
    [{ type: 'visit_time_page', value: '10', operator: 'greater_or_equal' }, true],
    [{ type: 'visit_time_page', value: '10', operator: 'lower_than' }, false],
    [{ type: 'visit_time_page', value: '10', operator: 'contains' }, true],
    [{ type: 'visit_time_page', value: '11', operator: 'contains' }, false],
    [{ type: 'visit_time_page', value: '11', operator: 'doesnt_contain' }, true],
    [{ type: 'pages_view_number', value: '3', operator: 'contains' }, true],
    [{ type: 'visits_number', value: '3.0', operator: 'doesnt_contain' }, false],
    [{ type: 'visits_number', value: '30', operator: 'contains' }, false],
    [{ type: 'pages_view_number', value: '3' }, true],
    [{ type: 'pages_view_number', value: '3.0' }, true],
    [{ type: 'pages_view_number', value: '2', operator: 'greater_than' }, true],
    [{ type: 'visits_number', value: '1', operator: 'doesnt_equal' }, true],
    [{ type: 'visits_number', value: '10', operator: 'lower_than' }, true],
    [{ type: 'url_current', value: 'shop.example/cart' }, true],
    [{ type: 'url_current', value: '/shoes', operator: 'contains' }, false],
    [{ type: 'url_visited', value: '/shoes', operator: 'contains' }, true],
    [{ type: 'url_visited', value: '/shoes' }, false],
    [{ type: 'url_visited', value: '/cart', operator: 'doesnt_equal' }, false],
    [{ type: 'url_visited', value: '/checkout', operator: 'doesnt_contain' }, true],
    [{ type: 'url_referrer', value: 'google.', operator: 'contains' }, true],
    [{ type: 'url_referrer', value: '' }, false],
    [{ type: 'url_current', value: '/cart', operator: 'lower_or_equal' }, true],
    [{ type: 'url_current', value: '/cart', operator: 'lower_than' }, false],
    [{ type: 'url_current', value: 'https://www.shop.example/b', operator: 'greater_than' }, true],
    [{ type: 'url_visited', value: '/d', operator: 'greater_than' }, true],
    [{ type: 'url_referrer', value: 'h', operator: 'greater_or_equal' }, false],
    [{ type: 'geolocation', value: 'Q', operator: 'greater_than' }, true],
    [{ type: 'geolocation', value: 'a', operator: 'lower_than' }, false],
    [{ type: 'search_keyword', value: 'Red Shoes', operator: 'greater_or_equal' }, true],
    [{ type: 'search_keyword', value: '5', operator: 'greater_or_equal' }, false],
    [{ type: 'geolocation', value: 'poland' }, true],
    [{ type: 'geolocation', value: 'pl' }, true],
    [{ type: 'geolocation', value: 'WROCŁAW, Poland' }, true],
    [{ type: 'geolocation', value: 'Silesia', operator: 'contains' }, true],
    [{ type: 'geolocation', value: 'Germany', operator: 'doesnt_equal' }, true],
    [{ type: 'search_keyword', value: 'red shoes' }, true],
    [{ type: 'search_keyword', value: 'boots', operator: 'doesnt_contain' }, true],
    [{ type: 'custom_variable', variableName: 'plan', variableValue: 'gold' }, true],
    [{ type: 'custom_variable', variableName: 'Plan', variableValue: 'gold' }, false],
    [{ type: 'custom_variable', variableName: 'total', variableValue: '99', operator: 'greater_than' }, true],
    [{ type: 'custom_variable', variableName: 'plan', variableValue: '99', operator: 'greater_than' }, false],
    [{ type: 'custom_variable', variableName: 'plan', variableValue: '99', operator: 'lower_or_equal' }, false],
    [{ type: 'custom_variable', variableName: 'plan', variableValue: 'Silver', operator: 'lower_than' }, true],
    [{ type: 'custom_variable', variableName: 'unset', variableValue: 'a', operator: 'lower_than' }, false],
    [{ type: 'custom_variable', variableName: 'note', variableValue: 'שלום', operator: 'contains' }, true],
    [{ type: 'custom_variable', variableName: 'note', variableValue: '👟', operator: 'contains' }, true],
    [{ type: 'custom_variable', variableName: 'note', variableValue: '.*', operator: 'contains' }, false],
    [{ type: 'custom_variable', variableName: 'unset', variableValue: '' }, true],
    [{ type: 'custom_variable', variableName: 'constructor', variableValue: '' }, true],
    [{ type: 'custom_variable', variableName: '__proto__', variableValue: '', operator: 'doesnt_equal' }, false],
  ];
  for (const [rule, expected] of table) {
    it(`${Object.values(rule).join(' ')} ${expected ? 'matches' : 'does not match'}`, () =>
      expect(holds(rule)).toBe(expected));
  }

  it('an empty referrer matches direct visitors', () => {
    expect(holds({ type: 'url_referrer', value: '' }, { referrer: undefined })).toBe(true);
  });

  it('a keyword from the site takes precedence over the referrer', () => {
    expect(holds({ type: 'search_keyword', value: 'boots' }, { searchKeyword: 'boots' })).toBe(true);
  });

  it('an unknown page or place does not match, and its opposite does', () => {
    const unknown = { pages: [], geolocation: undefined };
    for (const [type, value] of [
      ['url_current', '/a'],
      ['url_visited', '/a'],
      ['geolocation', 'Poland'],
    ] as const) {
      expect(holds({ type, value }, unknown)).toBe(false);
      expect(holds({ type, value, operator: 'doesnt_contain' }, unknown)).toBe(true);
    }
  });
});

describe('rules', () => {
  it('must all match', () => {
    const yes: RuleDraft = { type: 'visits_number', value: '3' };
    const no: RuleDraft = { type: 'visits_number', value: '4' };
    expect([holds([yes, yes]), holds([yes, no]), holds([no, yes])]).toEqual([true, false, false]);
  });

  it('match no visitor when there are none', () => {
    expect(holds([])).toBe(false);
    expect(checkIn([])).toBeUndefined();
  });
});

describe('a funnel', () => {
  const funnel = (...urls: string[]): RuleDraft => ({ type: 'url_funnel', urls: urls.map((url) => ({ url })) });

  it('matches its steps in order, with other pages in between', () => {
    expect(holds(funnel('/', '/cart'))).toBe(true);
    expect(holds(funnel('/cart', '/'))).toBe(false);
    expect(holds(funnel('/', '/checkout'))).toBe(false);
  });

  it('needs a separate page for each step', () => {
    expect(holds(funnel('/cart', '/cart'))).toBe(false);
    expect(holds(funnel('/cart', '/cart'), { pages: [...visitor.pages, page('/'), page('/cart')] })).toBe(true);
  });

  it('uses the operator of each step', () => {
    expect(
      holds({
        type: 'url_funnel',
        urls: [
          { url: '/shoes', operator: 'contains' },
          { url: '/shoes', operator: 'doesnt_contain' },
        ],
      }),
    ).toBe(true);
  });

  it('of 50 steps is found in the latest 1,000 pages', () => {
    const pages = Array.from({ length: 1000 }, (_, index) => page(`/page-${index}`));
    const steps = Array.from({ length: 50 }, (_, index) => `/page-${index * 20 + 19}`);
    expect(holds(funnel(...steps), { pages })).toBe(true);
    expect(holds(funnel(...steps.toReversed()), { pages })).toBe(false);
    expect(holds(funnel('/page-0'), { pages })).toBe(true);
    expect(holds(funnel('/page-0'), { pages: [...pages, page('/more')] })).toBe(false);
    expect(holds({ type: 'pages_view_number', value: '1001' }, { pages: [...pages, page('/more')] })).toBe(true);
  });
});

describe('a visit that is expensive to evaluate', () => {
  const long = 'a'.repeat(4000);
  const pages = Array.from({ length: 1000 }, (_, index) => page(`/${index}-${long}`));

  it('is evaluated by its latest pages', () => {
    expect(holds({ type: 'url_visited', value: '/999-', operator: 'contains' }, { pages })).toBe(true);
    expect(holds({ type: 'url_visited', value: '/0-', operator: 'contains' }, { pages })).toBe(false);
  });

  it('is compared with a hundred adversarial values', () => {
    const value = `${'a'.repeat(1000)}b${'a'.repeat(1000)}`;
    const rules: RuleDraft[] = Array(100).fill({ type: 'url_visited', operator: 'doesnt_contain', value });
    expect(holds(rules, { pages })).toBe(true);
  });

  it('matches pages whose characters expand when normalized', () => {
    const unfolding = [page(`/start/${'\ufdfa'.repeat(4000)}`)];
    expect(holds({ type: 'url_current', value: '/start/', operator: 'contains' }, { pages: unfolding })).toBe(true);
  });
});

describe('the next check', () => {
  const site = (value: string, operator?: RuleDraft['operator']): RuleDraft => ({
    type: 'visit_time_site',
    value,
    ...(operator ? { operator } : {}),
  });

  it('is when the last time rule starts to match', () => {
    expect(checkIn([site('90')])).toBe(30);
    expect(checkIn([site('90', 'greater_than')])).toBe(30.001);
    expect(checkIn([site('90'), { type: 'visit_time_page', value: '45' }])).toBe(35);
    expect(checkIn([site('60')])).toBe(0);
  });

  it('is undefined when waiting does not help', () => {
    expect(checkIn([site('90'), site('80', 'lower_than')])).toBeUndefined();
    expect(checkIn([site('90'), { type: 'visits_number', value: '4' }])).toBeUndefined();
    expect(checkIn([site('60', 'lower_than')])).toBeUndefined();
    expect(checkIn([{ type: 'visits_number', value: '4' }])).toBeUndefined();
  });

  it('handles clocks that are ahead', () => {
    expect(checkIn([site('5')], { visitStartedAt: ago(-10) })).toBe(15);
  });

  it('counts from the start of the visit while no page is known', () => {
    expect(checkIn([{ type: 'visit_time_page', value: '90' }], { pages: [] })).toBe(30);
  });

  it('does not depend on the time zone', () => {
    const zone = process.env.TZ;
    const answers = ['Europe/Warsaw', 'America/New_York', 'Pacific/Kiritimati', 'UTC'].map((name) => {
      process.env.TZ = name;
      return [checkIn([site('7200')]), holds(site('60'))];
    });
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    expect(answers).toEqual(answers.map(() => [7140, true]));
  });
});
