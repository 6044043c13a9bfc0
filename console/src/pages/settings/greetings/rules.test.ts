import { describe, expect, it } from 'vitest';
import type { Rule } from '#contracts/chat-ops/greetings.ts';
import {
  changeType,
  checkRules,
  describeRule,
  newRule,
  newStep,
  OPERATORS,
  type Operator,
  operatorChoices,
  operatorsOf,
  RULE_TYPES,
  type RuleType,
  readRule,
  writeRule,
} from './rules.ts';

const types = Object.keys(RULE_TYPES) as RuleType[];

/** A rule as the API returns it, with a position and the condition `and`. */
const asAnswer = (input: ReturnType<typeof writeRule>): Rule => ({
  id: 1,
  condition: 'and',
  ...input,
  urls: input.urls?.map(({ url, operator = 'equals' }) => ({ url, operator })),
});

const filled = (type: RuleType, operator: Operator) => ({
  ...newRule(type),
  operator,
  value: '12',
  variableName: type === 'custom_variable' ? 'cart' : '',
  steps:
    type === 'url_funnel'
      ? [
          { ...newStep(), url: '/a' },
          { ...newStep(), url: '/b', operator },
        ]
      : [],
});

describe('rule builder', () => {
  it.each(types)('writes and reads %s with every operator', (type) => {
    for (const operator of operatorsOf(type)) {
      const written = writeRule(filled(type, operator));
      expect(writeRule(readRule(asAnswer(written)))).toEqual(written);
      expect(checkRules([filled(type, operator)])).toEqual({});
    }
  });

  it('offers every operator of the API for some type', () => {
    expect(new Set(types.flatMap(operatorsOf))).toEqual(new Set(Object.keys(OPERATORS)));
  });

  it('keeps an operator set through the API', () => {
    const values = operatorChoices('visits_number', 'contains').map(({ value }) => value);
    expect(values).toEqual([...operatorsOf('visits_number'), 'contains']);
    expect(operatorChoices('url_current', 'contains')).toHaveLength(4);
  });

  it('keeps the order of funnel pages', () => {
    const rule = { ...newRule('url_funnel'), steps: ['/a', '/b', '/c'].map((url) => ({ ...newStep(), url })) };
    expect(writeRule(rule).urls?.map(({ url }) => url)).toEqual(['/a', '/b', '/c']);
  });

  it('writes only the fields of the rule type', () => {
    expect(writeRule({ ...newRule('custom_variable'), variableName: ' cart ', value: 'full' })).toEqual({
      type: 'custom_variable',
      operator: 'equals',
      variable_name: 'cart',
      variable_value: 'full',
    });
    expect(writeRule(newRule())).toEqual({ type: 'visit_time_site', operator: 'greater_or_equal', value: '30' });
  });

  it('uses the field paths of the server for errors', () => {
    const errors = checkRules([
      { ...newRule(), value: 'soon' },
      { ...newRule('url_current'), value: ' ' },
      newRule('custom_variable'),
      { ...newRule('url_funnel'), steps: [{ ...newStep(), url: '/a' }, newStep()] },
      { ...newRule('url_funnel'), steps: [] },
    ]);
    expect(Object.keys(errors)).toEqual([
      'rules.0.value',
      'rules.1.value',
      'rules.2.variable_name',
      'rules.3.urls.1.url',
      'rules.4.urls',
    ]);
  });

  it('allows an empty value with “is” and “is not”', () => {
    expect(checkRules([{ ...newRule('url_referrer'), operator: 'equals', value: '' }])).toEqual({});
    expect(checkRules([{ ...newRule('url_referrer'), operator: 'contains', value: '' }])).not.toEqual({});
  });

  it('keeps operator and value when the new type allows them', () => {
    const rule = { ...newRule('url_current'), operator: 'equals' as const, value: '/cart' };
    expect(changeType(rule, 'url_visited')).toMatchObject({ key: rule.key, operator: 'equals', value: '/cart' });
    expect(changeType({ ...rule, operator: 'contains' }, 'visits_number')).toMatchObject({
      operator: 'greater_or_equal',
      value: '',
    });
  });

  it('describes rules as sentences', () => {
    expect(describeRule(newRule())).toBe('Time on site is at least 30 seconds');
    expect(describeRule({ ...newRule('url_referrer'), operator: 'equals' })).toBe('Referrer is empty');
    expect(describeRule(filled('url_funnel', 'equals'))).toBe('Sequence of visited pages: contains “/a” → is “/b”');
  });
});
