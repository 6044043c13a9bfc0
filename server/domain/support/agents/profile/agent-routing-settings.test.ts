import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { openOrganizationScope } from '../../../scope.ts';
import { listGroupStatuses } from '../../groups/statuses.ts';
import { setAgentStatus } from '../presence/set-status.ts';
import { setAgentGroups, setMaxChats } from './agent-routing-settings.ts';
import { getAgent } from './list-agents.ts';

const SALES = 7;

const test = useTestApp();
let organization: TestOrganization;
let agent: TestAgent;

beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  await buildGroup(organization, SALES);
  agent = await buildAgent(organization, { groupIds: [SALES] });
  await setAgentStatus(organization.scope, { login: agent.login, status: 'accepting chats' });
});

const actingAs = (permission: 'normal' | 'administrator') =>
  openOrganizationScope(
    organization.scope.services,
    { kind: 'agent', id: agent.login, permission, groupIds: [0] },
    organization.id,
  );
const limit = (maxChatsCount: number, login = agent.login, scope = organization.scope) =>
  setMaxChats(scope, { login, maxChatsCount });
const arrive = async (groupIds = [SALES]) =>
  buildChat(organization, await buildCustomer(organization), { groupIds, continuous: true });
const open = async () =>
  (
    await organization.scope
      .from('chats')
      .where('assigneeId', '=', agent.login)
      .where('active', '=', true)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;
const statusOf = async (id = SALES) =>
  (await listGroupStatuses(organization.scope, { all: false, groupIds: [id] }))[0]!.status;

describe('setMaxChats', () => {
  it('assigns queued chats when the limit is raised', async () => {
    await limit(1);
    for (let chats = 0; chats < 4; chats++) await arrive();
    expect([await open(), await statusOf()]).toEqual([1, 'online_for_queue']);
    await limit(3);
    expect([await open(), await statusOf()]).toEqual([3, 'online_for_queue']);
    await limit(5);
    expect([await open(), await statusOf()]).toEqual([4, 'online']);
  });

  it('keeps assigned chats when the limit is lowered', async () => {
    await arrive();
    await arrive();
    await limit(0);
    expect(await open()).toBe(2);
    await arrive();
    expect(await open()).toBe(2);
  });

  it('accepts integers from 0 to 1000 for existing agents, from administrators only', async () => {
    await limit(1000);
    for (const count of [-1, 1001, 1.5, Number.NaN])
      await expect(limit(count)).rejects.toMatchObject({ code: 'validation' });
    await expect(limit(1, 'nobody@shop.test')).rejects.toMatchObject({ code: 'not_found' });
    const other = await buildOrganization(test);
    await expect(limit(1, other.owner.login)).rejects.toMatchObject({ code: 'not_found' });
    await expect(limit(1, agent.login, actingAs('normal'))).rejects.toMatchObject({ code: 'forbidden' });
    await limit(2, agent.login.toUpperCase(), actingAs('administrator'));
    expect((await getAgent(actingAs('normal'), agent)).maxChatsCount).toBe(2);
  });

  it('is never exceeded while chats arrive and the limit changes', async () => {
    await limit(2);
    await Promise.all([...Array.from({ length: 8 }, () => arrive()), limit(3), limit(4)]);
    const { maxChatsCount } = await getAgent(actingAs('normal'), agent);
    expect([3, 4]).toContain(maxChatsCount);
    expect(await open()).toBeLessThanOrEqual(4);
    await limit(5);
    expect(await open()).toBe(5);
  });
});

describe('setAgentGroups', () => {
  const groups = (groupIds: number[], login = agent.login, scope = organization.scope) =>
    setAgentGroups(scope, { login, groupIds });
  const groupsOf = async () => (await getAgent(actingAs('normal'), agent)).groups.map(({ id }) => id);

  it('changes group statuses and assigns queued chats', async () => {
    await groups([]);
    expect([await groupsOf(), await statusOf()]).toEqual([[], 'offline']);
    await arrive();
    expect(await open()).toBe(0);
    await groups([SALES, SALES, 0]);
    expect([await groupsOf(), await statusOf(), await open()]).toEqual([[SALES], 'online', 1]);
    await groups([]);
    expect(await open()).toBe(1);
  });

  it('keeps agents in group 0 and accepts only groups and agents of the organization', async () => {
    await groups([]);
    expect(await statusOf(0)).toBe('online');
    await expect(groups([99])).rejects.toMatchObject({ code: 'group_not_found' });
    await expect(groups([], 'nobody@shop.test')).rejects.toMatchObject({ code: 'not_found' });
    await expect(groups([], agent.login, actingAs('normal'))).rejects.toMatchObject({ code: 'forbidden' });
    await groups([SALES], agent.login, actingAs('administrator'));
    expect(await groupsOf()).toEqual([SALES]);
  });

  it('stays consistent under concurrent changes', async () => {
    await Promise.all([groups([SALES]), groups([]), groups([SALES])]);
    expect([[], [SALES]]).toContainEqual(await groupsOf());
  });
});
