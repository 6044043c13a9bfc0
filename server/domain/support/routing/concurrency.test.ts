import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { chooseAgent, combinedStatus } from './candidates.ts';
import { loadRoutingSnapshot } from './routing-snapshot.ts';
import { transferChat } from './transfer-chat.ts';

const SALES = 7;
const LIMIT = 2;

let test: TestApp;
let other: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  other = await startTestApp({ beside: test });
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

/** The same organization as seen by each of the two processes. */
const bothSides = (organization: TestOrganization): TestOrganization[] => [
  organization,
  { ...organization, scope: openOrganizationScope(other.context.services, { kind: 'system' }, organization.id) },
];

const activeChats = ({ scope }: TestOrganization) =>
  scope.from('chats').where('active', '=', true).select(['id', 'assigneeId', 'groupIds', 'customerId']).execute();

/** Invariants that must hold whenever no operation is running. */
const expectInvariants = async (organization: TestOrganization): Promise<void> => {
  const { scope } = organization;
  const chats = await activeChats(organization);
  const open = Map.groupBy(chats, ({ assigneeId }) => assigneeId);
  for (const [agentId, own] of open) if (agentId !== null) expect(own.length).toBeLessThanOrEqual(LIMIT);
  const waiting = await scope.from('queueEntries').where('leftAt', 'is', null).select('chatId').execute();
  const unanswered = chats.filter(({ assigneeId }) => assigneeId === null).map(({ id }) => id);
  expect(waiting.map(({ chatId }) => chatId).toSorted()).toEqual(unanswered.toSorted());
  const snapshot = await loadRoutingSnapshot(scope);
  for (const chat of snapshot.waiting) expect(chooseAgent(snapshot, chat)).toBeUndefined();
  const current = await scope.from('assignments').where('endedAt', 'is', null).select(['chatId', 'agentId']).execute();
  const answered = chats
    .filter(({ assigneeId }) => assigneeId !== null)
    .map(({ id, assigneeId }) => `${id} ${assigneeId}`);
  expect(current.map(({ chatId, agentId }) => `${chatId} ${agentId}`).toSorted()).toEqual(answered.toSorted());
  const present = await scope
    .from('chatUsers')
    .where('kind', '=', 'agent')
    .where('present', '=', true)
    .select(['chatId', 'userId'])
    .execute();
  expect(present.map(({ chatId, userId }) => `${chatId} ${userId}`).toSorted()).toEqual(answered.toSorted());
};

const buildTeam = async () => {
  const organization = await buildOrganization(test);
  await buildGroup(organization, SALES);
  const agents = [
    organization.owner,
    await buildAgent(organization),
    await buildAgent(organization, { groupIds: [SALES] }),
  ];
  await organization.scope.update('agents').set({ maxChatsCount: LIMIT }).execute();
  for (const { login } of agents) await setAgentStatus(organization.scope, { login, status: 'accepting chats' });
  const customers = await Promise.all(Array.from({ length: 12 }, () => buildCustomer(organization)));
  return { organization, agents, customers, sides: bothSides(organization) };
};

it('respects limits and loses no chat while customers and agents act concurrently in two processes', async () => {
  const { organization, agents, customers, sides } = await buildTeam();
  const start = (at: number) =>
    buildChat(sides[at % 2]!, customers[at]!, {
      groupIds: at % 3 === 0 ? [SALES] : [0],
      continuous: true,
      texts: ['Hi'],
    });
  const started = await Promise.all(customers.map((_, at) => start(at)));
  await expectInvariants(organization);
  expect((await activeChats(organization)).filter(({ assigneeId }) => assigneeId !== null)).toHaveLength(3 * LIMIT);

  const scopeOf = (at: number): OrganizationScope => customerScope(sides[at % 2]!, customers[at]!);
  for (let round = 0; round < 3; round++) {
    test.clock.advance(1000);
    const closing = started.slice(round * 3, round * 3 + 3);
    await Promise.all([
      ...closing.map(({ chatId }, at) => deactivateChat(scopeOf(round * 3 + at), { chatId })),
      ...started
        .slice(9)
        .map(({ chatId }, at) =>
          sendEvent(scopeOf(9 + at), { chatId, event: messageDraft('Still here?'), attachToLastThread: false }),
        ),
      setAgentStatus(sides[round % 2]!.scope, {
        login: agents[round]!.login,
        status: round === 1 ? 'offline' : 'not accepting chats',
      }),
      setAgentStatus(sides[(round + 1) % 2]!.scope, {
        login: agents[(round + 1) % 3]!.login,
        status: 'accepting chats',
      }),
      ...[0, 1].map((at) => start((round * 3 + at) % 12)),
      transferChat(sides[round % 2]!.scope, {
        chatId: started[11]!.chatId,
        target: { type: 'group', ids: [round % 2 === 0 ? SALES : 0] },
      }),
    ]);
    await expectInvariants(organization);
  }
});

it('assigns each chat once and each slot once under concurrent starts and closings', async () => {
  const { organization, customers, sides } = await buildTeam();
  const chats = await Promise.all(
    customers.map((customer, at) => buildChat(sides[at % 2]!, customer, { continuous: true })),
  );
  await Promise.all(
    chats
      .slice(0, 6)
      .map(({ chatId }, at) => deactivateChat(customerScope(sides[at % 2]!, customers[at]!), { chatId })),
  );
  await expectInvariants(organization);
  const assigned = await organization.scope.from('assignments').select('chatId').execute();
  expect(new Set(assigned.map(({ chatId }) => chatId)).size).toBe(assigned.length);
  expect(combinedStatus(await loadRoutingSnapshot(organization.scope), [0])).toBe('online_for_queue');
});
