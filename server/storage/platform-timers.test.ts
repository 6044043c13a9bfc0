import { describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { type TestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { findIdleChats, findShiftChanges, findUnansweredChats, findWaitingOrganizations } from './platform-timers.ts';

const MINUTE_MS = 60_000;
const SALES = 7;
const MAX_PER_OWNER = 20;

const test = useTestApp();

const accept = ({ scope }: TestOrganization, { login }: TestAgent) =>
  setAgentStatus(scope, { login, status: 'accepting chats' });
const findDue = <T>(find: (database: TestApp['context']['database'], now: Date) => Promise<T>): Promise<T> =>
  find(test.context.database, test.clock.now());
/** Agents whose chats have all been waiting for a reply for a minute. */
const buildSlow = async (chats: number, groupIds: number[] = [0]) => {
  const organization = await buildOrganization(test);
  if (groupIds.includes(SALES)) await buildGroup(organization, SALES);
  await organization.scope.update('agents').set({ maxChatsCount: 100 }).execute();
  const { kysely } = test.context.database;
  await kysely.updateTable('organizations').where('id', '=', organization.id).set({ unassignMinutes: 1 }).execute();
  const customer = await buildCustomer(organization);
  const chatIds: string[] = [];
  for (let n = 0; n < chats; n++) {
    chatIds.push((await buildChat(organization, customer, { texts: ['Hello'], groupIds })).chatId);
    test.clock.advance(1);
  }
  test.clock.advance(MINUTE_MS);
  const due = async () =>
    (await findDue(findUnansweredChats)).flatMap(({ organizationId, chatId }) =>
      organizationId === organization.id ? [chatId] : [],
    );
  return { organization, chatIds, due };
};

describe('unanswered chats', () => {
  it('are due only while another agent of their groups has capacity', async () => {
    const { organization, chatIds, due } = await buildSlow(1);
    expect(await due()).toEqual([]);
    const bob = await buildAgent(organization);
    const change = (set: { away?: boolean; maxChatsCount?: number }) =>
      organization.scope.update('agents').where('id', '=', bob.login).set(set).execute();
    await accept(organization, bob);
    expect(await due()).toEqual(chatIds);
    await change({ away: true });
    expect(await due()).toEqual([]);
    await change({ away: false, maxChatsCount: 0 });
    expect(await due()).toEqual([]);
  });

  it('are due while an agent of a fallback group has capacity', async () => {
    const { organization, chatIds, due } = await buildSlow(1, [0]);
    await buildGroup(organization, SALES);
    await organization.scope
      .update('chats')
      .set({ groupIds: [SALES] })
      .execute();
    await accept(organization, await buildAgent(organization));
    expect(await due()).toEqual([]);
    await organization.scope.update('groups').where('id', '=', SALES).set({ fallbackGroupId: 0 }).execute();
    expect(await due()).toEqual(chatIds);
  });

  it('of one organization do not delay others; the longest due comes first', async () => {
    const busy = await buildSlow(MAX_PER_OWNER + 2);
    await accept(busy.organization, await buildAgent(busy.organization, {}));
    const lastShop = await buildSlow(1);
    await accept(lastShop.organization, await buildAgent(lastShop.organization));
    const rows = await findDue(findUnansweredChats);
    const owners = rows.map(({ organizationId }) => organizationId);
    expect(owners.indexOf(lastShop.organization.id)).toBeLessThan(5);
    expect(await busy.due()).toEqual(busy.chatIds.slice(0, MAX_PER_OWNER));
    test.clock.advance(15 * MINUTE_MS);
    const idle = (await findDue(findIdleChats)).map(({ chatId }) => chatId);
    expect(idle.filter((id) => busy.chatIds.includes(id))).toEqual(busy.chatIds.slice(0, MAX_PER_OWNER));
  });
});

it('shift changes of one organization do not delay others', async () => {
  const [big, small] = [await buildOrganization(test), await buildOrganization(test)];
  const shiftEndsAt = test.clock.now();
  await Promise.all(Array.from({ length: MAX_PER_OWNER + 1 }, () => buildAgent(big)));
  await big.scope.update('agents').set({ shiftEndsAt }).execute();
  test.clock.advance(1);
  await small.scope.update('agents').set({ shiftEndsAt: test.clock.now() }).execute();
  const owners = (await findDue(findShiftChanges)).map(({ organizationId }) => organizationId);
  expect(owners.slice(0, 2)).toEqual([big.id, small.id]);
  expect(owners.filter((id) => id === big.id)).toHaveLength(MAX_PER_OWNER);
});

it('finds queues only of organizations with an agent who accepts chats', async () => {
  const organization = await buildOrganization(test, { online: false });
  await buildChat(organization, await buildCustomer(organization), { continuous: true });
  const isFound = async () => (await findWaitingOrganizations(test.context.database)).includes(organization.id);
  expect(await isFound()).toBe(false);
  await organization.scope.update('agents').set({ maxChatsCount: 0 }).execute();
  await accept(organization, organization.owner);
  expect(await isFound()).toBe(true);
  await organization.scope.update('agents').set({ away: true }).execute();
  expect(await isFound()).toBe(false);
});
