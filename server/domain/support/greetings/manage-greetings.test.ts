import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { customerScope } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { createGoal, deleteGoal, getGoal, listGoals, updateGoal } from '../goals/manage-goals.ts';
import { createGreeting, deleteGreeting, getGreeting, listGreetings, updateGreeting } from './manage-greetings.ts';
import type { RuleDraft } from './rules.ts';

const test = useTestApp();
let organization: TestOrganization;

beforeAll(async () => {
  organization = await buildOrganization(test);
});

const rules: RuleDraft[] = [{ type: 'url_current', value: '/shoes' }];

describe('greetings', () => {
  it('can be created, changed, listed by group and deleted, and ids are not reused', async () => {
    const { scope } = organization;
    const groupId = await buildGroup(organization, 3);
    const made = await createGreeting(scope, { name: 'Shoes', rules });
    expect(made).toEqual({
      ...{ id: 1, groupId: 0, name: 'Shoes', active: true, message: '' },
      rules: [{ type: 'url_current', operator: 'equals', value: '/shoes' }],
    });
    const other = await createGreeting(scope, { name: 'Boots', rules: [], groupId });
    expect(await updateGreeting(scope, { id: 1, message: 'Hi', active: false, rules: [] })).toEqual({
      ...made,
      message: 'Hi',
      active: false,
      rules: [],
    });
    expect((await listGreetings(scope)).map(({ id }) => id)).toEqual([1, 2]);
    expect(await listGreetings(scope, { groupId })).toEqual([other]);
    await deleteGreeting(scope, { id: 2 });
    await expect(getGreeting(scope, { id: 2 })).rejects.toThrow('Greeting not found');
    await expect(updateGreeting(scope, { id: 2, name: 'x' })).rejects.toThrow('Greeting not found');
    await expect(deleteGreeting(scope, { id: 2 })).rejects.toThrow('Greeting not found');
    expect((await createGreeting(scope, { name: 'Next', rules })).id).toBe(3);
  });

  it('are validated', async () => {
    const { scope } = organization;
    const wrong: RuleDraft[] = [{ type: 'visits_number', value: 'many' }];
    await expect(createGreeting(scope, { name: 'x', rules: wrong })).rejects.toMatchObject({
      code: 'validation',
      details: { fields: [{ field: 'rules.0.value' }] },
    });
    await expect(createGreeting(scope, { name: ' ', rules })).rejects.toMatchObject({ code: 'validation' });
    await expect(createGreeting(scope, { name: 'x', rules, groupId: 99 })).rejects.toMatchObject({
      code: 'group_not_found',
    });
  });
});

describe('goals', () => {
  it('can be created, changed, listed by type and deleted', async () => {
    const { scope } = organization;
    const made = await createGoal(scope, { name: 'Bought', condition: { type: 'url', url: '/thanks' } });
    const goal = { id: 1, name: 'Bought', active: true, type: 'url', url: '/thanks', matchType: 'substring' };
    expect(made).toEqual(goal);
    const api = await createGoal(scope, { name: 'Called', condition: { type: 'api' } });
    expect(await updateGoal(scope, { id: 1, active: false })).toEqual({ ...made, active: false });
    expect(await listGoals(scope, { type: 'api' })).toEqual([api]);
    expect(await listGoals(scope)).toHaveLength(2);
    await deleteGoal(scope, { id: 1 });
    await expect(getGoal(scope, { id: 1 })).rejects.toThrow('Goal not found');
    await expect(deleteGoal(scope, { id: 1 })).rejects.toThrow('Goal not found');
  });

  it('are validated', async () => {
    const { scope } = organization;
    await expect(createGoal(scope, { name: 'x', condition: { type: 'url', url: ' ' } })).rejects.toMatchObject({
      details: { fields: [{ field: 'url' }] },
    });
    await expect(createGoal(scope, { name: '', condition: { type: 'api' } })).rejects.toMatchObject({
      code: 'validation',
    });
  });
});

it('greetings and goals cannot be accessed by other accounts or by customers', async () => {
  const elsewhere = await buildOrganization(test);
  const { id } = await createGreeting(organization.scope, { name: 'Ours', rules });
  const goal = await createGoal(organization.scope, { name: 'Ours', condition: { type: 'api' } });
  await expect(getGreeting(elsewhere.scope, { id })).rejects.toThrow('Greeting not found');
  await expect(getGoal(elsewhere.scope, { id: goal.id })).rejects.toThrow('Goal not found');
  const customer = customerScope(organization, await buildCustomer(organization));
  await expect(createGreeting(customer, { name: 'x', rules })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(deleteGoal(customer, { id: goal.id })).rejects.toMatchObject({ code: 'forbidden' });
});
