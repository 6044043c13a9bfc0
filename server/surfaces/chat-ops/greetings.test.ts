import { beforeEach, describe, expect, it } from 'vitest';
import { operators, ruleTypes } from '#server/domain/support/greetings/rules.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type Call, caller } from '../../testing/http/chat-ops.ts';

const test = useTestApp();
let organization: TestOrganization;
let asOwner: Call;
let agent: TestAgent;

beforeEach(async () => {
  organization = await buildOrganization(test);
  asOwner = caller(test, organization.owner);
  agent = await buildAgent(organization);
  await buildGroup(organization, 3);
});

const rules = [
  { type: 'visit_time_site', value: '30', operator: 'greater_than' },
  { type: 'url_current', value: 'shop.test' },
  { type: 'custom_variable', variable_name: 'plan', variable_value: 'gold', operator: 'contains' },
  { type: 'url_funnel', urls: [{ url: '/cart', operator: 'contains' }, { url: '/pay' }] },
];
const writtenRules = [
  { id: 1, type: 'visit_time_site', value: '30', operator: 'greater_than', condition: 'and' },
  { id: 2, type: 'url_current', value: 'shop.test', operator: 'equals', condition: 'and' },
  {
    id: 3,
    type: 'custom_variable',
    variable_name: 'plan',
    variable_value: 'gold',
    operator: 'contains',
    condition: 'and',
  },
  {
    ...{ id: 4, type: 'url_funnel', condition: 'and' },
    urls: [
      { url: '/cart', operator: 'contains' },
      { url: '/pay', operator: 'equals' },
    ],
  },
];

describe('greetings', () => {
  it('are created with rules of every kind, as JSON and as a form', async () => {
    const greeting = {
      name: 'Hello',
      active: true,
      group: 0,
      rules: writtenRules,
      properties: { active: '1', 'greeting-message_text': '' },
    };
    expect(await asOwner('POST', '/greetings', { name: 'Hello', rules })).toEqual({
      status: 200,
      body: { id: 1, ...greeting },
    });
    const form = [
      'name=Hello&rules[0][type]=visit_time_site&rules[0][value]=30&rules[0][operator]=greater_than',
      'rules[1][type]=url_current&rules[1][value]=shop.test&rules[1][condition]=and',
      'rules[2][type]=custom_variable&rules[2][variable_name]=plan&rules[2][variable_value]=gold&rules[2][operator]=contains',
      'rules[3][type]=url_funnel&rules[3][urls][0][url]=/cart&rules[3][urls][0][operator]=contains&rules[3][urls][1][url]=/pay',
    ].join('&');
    expect((await asOwner('POST', '/greetings/', form)).body).toEqual({ id: 2, ...greeting });
    expect((await caller(test, agent)('GET', '/greetings/2')).body).toEqual({ id: 2, ...greeting });
  });

  it('accept every operator with every type, because the API document does not restrict them', async () => {
    for (const type of ruleTypes) {
      const all = operators.map((operator) => ({
        ...{ type, operator, value: '2', variable_name: 'plan', variable_value: 'gold' },
        urls: [{ url: '/pay', operator }],
      }));
      const { status, body } = await asOwner('POST', '/greetings', { name: type, rules: all });
      expect([type, status, body.rules?.length]).toEqual([type, 200, 8]);
    }
  });

  it('are listed, optionally of one group', async () => {
    await asOwner('POST', '/greetings', { name: 'All', rules });
    await asOwner('POST', '/greetings', { name: 'Three', rules, group: 3 });
    const names = async (url: string) =>
      (await caller(test, agent)('GET', url)).body.map(({ name }: { name: string }) => name);
    expect(await names('/greetings')).toEqual(['All', 'Three']);
    expect(await names('/greetings?group=3')).toEqual(['Three']);
    expect(await names('/greetings?group=0')).toEqual(['All']);
    expect((await asOwner('POST', '/greetings', { name: 'X', rules, group: 9 })).status).toBe(404);
  });

  it('update only the given fields; given rules replace all existing ones', async () => {
    await asOwner('POST', '/greetings', { name: 'Hello', rules });
    const off = await asOwner('PUT', '/greetings/1', 'active=0&properties[greeting-message_text]=May we help?');
    expect(off.body).toMatchObject({
      name: 'Hello',
      active: false,
      rules: writtenRules,
      properties: { active: '0', 'greeting-message_text': 'May we help?' },
    });
    // A client that reads a greeting and writes it back sends a boolean.
    expect((await asOwner('PUT', '/greetings/1', off.body)).body).toEqual(off.body);
    const one = { type: 'visits_number', value: '2' };
    const on = await asOwner('PUT', '/greetings/1', { active: 1, rules: [one], name: 'Again' });
    expect(on.body).toMatchObject({
      name: 'Again',
      active: true,
      rules: [{ id: 1, ...one, operator: 'equals', condition: 'and' }],
      properties: { 'greeting-message_text': 'May we help?' },
    });
  });

  it.each([
    ['no name', { rules }],
    ['no rules', { name: 'X' }],
    ['an unknown type', { name: 'X', rules: [{ type: 'weather', value: 'x' }] }],
    ['an unknown operator', { name: 'X', rules: [{ type: 'url_current', value: 'x', operator: 'like' }] }],
    ['another condition', { name: 'X', rules: [{ type: 'url_current', value: 'x', condition: 'or' }] }],
    ['a value that is missing', { name: 'X', rules: [{ type: 'url_current' }] }],
    ['a value that is not a number', { name: 'X', rules: [{ type: 'visits_number', value: 'many' }] }],
    ['an empty funnel', { name: 'X', rules: [{ type: 'url_funnel', urls: [] }] }],
    [
      '51 steps',
      { name: 'X', rules: [{ type: 'url_funnel', urls: Array.from({ length: 51 }, () => ({ url: 'x' })) }] },
    ],
    ['101 rules', { name: 'X', rules: Array.from({ length: 101 }, () => rules[0]) }],
  ])('reject %s', async (_, body) => {
    expect((await asOwner('POST', '/greetings', body)).status).toBe(400);
  });

  it('are deleted once, and can be changed only by administrators of the account', async () => {
    await asOwner('POST', '/greetings', { name: 'Hello', rules });
    const asAgent = caller(test, agent);
    expect((await asAgent('POST', '/greetings', { name: 'Hello', rules })).status).toBe(403);
    expect((await asAgent('PUT', '/greetings/1', { active: 0 })).status).toBe(403);
    expect((await asAgent('DELETE', '/greetings/1')).status).toBe(403);
    const other = caller(test, (await buildOrganization(test)).owner);
    for (const method of ['GET', 'PUT', 'DELETE'] as const)
      expect((await other(method, '/greetings/1')).status).toBe(404);
    expect((await asOwner('DELETE', '/greetings/1')).body).toEqual({ ok: true });
    expect((await asOwner('DELETE', '/greetings/1')).status).toBe(404);
    const add = async () => (await asOwner('POST', '/greetings', { name: 'Hello', rules })).body.id;
    expect((await Promise.all([add(), add()])).toSorted()).toEqual([2, 3]);
  });
});
