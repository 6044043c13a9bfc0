import { describe, expect, it } from 'vitest';
import { checkRule, checkRules, completeRule, operators, type RuleDraft, ruleTypes } from './rules.ts';

const sample = (type: RuleDraft['type'], operator?: RuleDraft['operator']): RuleDraft => {
  const named = { type, ...(operator ? { operator } : {}) };
  if (type === 'custom_variable') return { ...named, variableName: 'cart', variableValue: '10' };
  if (type === 'url_funnel') return { type, urls: [{ url: '/a', ...(operator ? { operator } : {}) }] };
  return { ...named, value: '10' };
};

describe('a rule', () => {
  for (const type of ruleTypes) {
    it(`of type ${type} accepts every operator`, () => {
      for (const operator of operators) expect(checkRule(sample(type, operator)), operator).toBeUndefined();
      expect(checkRule(sample(type))).toBeUndefined();
    });
  }

  const refused: [draft: RuleDraft, field: string, why: string][] = [
    [{ type: 'visit_time_site' }, 'rule.value', 'no value'],
    [{ type: 'visit_time_site', value: 'soon' }, 'rule.value', 'a time that is not a number'],
    [{ type: 'visit_time_site', value: '' }, 'rule.value', 'no time'],
    [{ type: 'visit_time_site', value: '-1' }, 'rule.value', 'a negative time'],
    [{ type: 'visit_time_site', value: '1000001' }, 'rule.value', 'a time beyond the timer limit'],
    ...['1e9', '0x10', 'NaN', 'Infinity', '1e400', '٣'].map((value): [RuleDraft, string, string] => [
      { type: 'visits_number', value },
      'rule.value',
      `${value} as a number`,
    ]),
    [{ type: 'url_current', value: ' \u200b' }, 'rule.value', 'a URL of invisible characters'],
    [{ type: 'url_referrer', value: '', operator: 'contains' }, 'rule.value', 'contains with an empty value'],
    [{ type: 'geolocation', value: 'x'.repeat(2049) }, 'rule.value', 'a value that is too long'],
    [{ type: 'custom_variable', variableValue: 'x' }, 'rule.variable_name', 'no name'],
    [{ type: 'custom_variable', variableName: 'x' }, 'rule.variable_value', 'a variable without a value'],
    [{ type: 'visits_number', value: 'x', operator: 'contains' }, 'rule.value', 'a number with a letter'],
    [{ type: 'geolocation', value: ' ', operator: 'lower_than' }, 'rule.value', 'lower than an empty value'],
    [{ type: 'url_funnel' }, 'rule.urls', 'no steps'],
    [{ type: 'url_funnel', urls: [] }, 'rule.urls', 'an empty funnel'],
    [{ type: 'url_funnel', urls: Array(51).fill({ url: '/a' }) }, 'rule.urls', 'too many steps'],
    [{ type: 'url_funnel', urls: [{ url: '/a' }, { url: ' ' }] }, 'rule.urls.1.url', 'a step without a URL'],
  ];
  for (const [draft, field, why] of refused) {
    it(`is rejected: ${why}`, () => expect(checkRule(draft)?.field).toBe(field));
  }

  const accepted: [draft: RuleDraft, why: string][] = [
    [{ type: 'visit_time_page', value: ' 2.5 ' }, 'a fraction of a second'],
    [{ type: 'url_referrer', value: '' }, 'direct visitors'],
    [{ type: 'custom_variable', variableName: '__proto__', variableValue: '' }, 'a variable that is not set'],
    [
      { type: 'custom_variable', variableName: 'x', variableValue: 'gold', operator: 'lower_than' },
      'an ordering operator on text',
    ],
    [{ type: 'url_current', value: '^(a+)+$', operator: 'contains' }, 'text that looks like a pattern'],
    [{ type: 'search_keyword', value: '👟', operator: 'contains' }, 'an emoji'],
    [{ type: 'geolocation', value: 'تونس' }, 'a right-to-left place'],
  ];
  for (const [draft, why] of accepted) {
    it(`is accepted: ${why}`, () => expect(checkRule(draft)).toBeUndefined());
  }
});

describe('the rules of a greeting', () => {
  it('report which of them is invalid', () => {
    expect(checkRules([sample('url_current'), { type: 'visits_number', value: 'x' }])).toEqual([
      { field: 'rules.1.value', message: 'must be a number from 0 to 1000000' },
    ]);
  });

  it('are at most 100', () => {
    expect(checkRules(Array(100).fill(sample('url_current')))).toEqual([]);
    expect(checkRules(Array(101).fill(sample('url_current')))).toHaveLength(1);
    expect(checkRules([])).toEqual([]);
  });

  it('use equals by default', () => {
    expect(completeRule({ type: 'url_current', value: '/a' })).toEqual({
      type: 'url_current',
      operator: 'equals',
      value: '/a',
    });
    expect(completeRule({ type: 'url_funnel', urls: [{ url: '/a' }, { url: '/b', operator: 'contains' }] })).toEqual({
      type: 'url_funnel',
      urls: [
        { url: '/a', operator: 'equals' },
        { url: '/b', operator: 'contains' },
      ],
    });
  });
});
