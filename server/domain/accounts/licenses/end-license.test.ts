import { expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { updateGroupRouting } from '#server/domain/support/groups/routing-settings.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import { buildAgent, buildCustomer, buildGroup, buildOrganization } from '#server/testing/builders/factories.ts';
import { endLicense } from './end-license.ts';

const SALES = 7;
const SUPPORT = 8;
const MONTH_MS = 31 * 24 * 3_600_000;

const test = useTestApp();

it('stops all agents of an ended license together, so that no chat moves to another agent', async () => {
  const organization = await buildOrganization(test, { online: false });
  const { scope } = organization;
  await buildGroup(organization, SALES);
  await buildGroup(organization, SUPPORT);
  const agents = [
    await buildAgent(organization, { groupIds: [SALES] }),
    await buildAgent(organization, { groupIds: [SUPPORT] }),
  ];
  const [full] = agents;
  await scope.update('agents').where('id', '=', full!.login).set({ maxChatsCount: 0 }).execute();
  for (const { login } of agents) await setAgentStatus(scope, { login, status: 'accepting chats' });
  await updateGroupRouting(scope, { groupId: SALES, fallbackGroupId: SUPPORT });
  const { chatId } = await buildChat(organization, await buildCustomer(organization), { groupIds: [SALES] });
  test.clock.advance(MONTH_MS);
  await endLicense(scope);
  const chat = await scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow();
  expect(chat.assigneeId).toBeNull();
  const ended = await scope
    .from('agentStatusChanges')
    .where('reason', '=', 'license_ended')
    .select(['agentId', 'status'])
    .orderBy('agentId')
    .execute();
  const status = 'not accepting chats';
  expect(ended).toEqual(
    agents
      .map(({ login }) => login)
      .toSorted()
      .map((agentId) => ({ agentId, status })),
  );
  const now = await scope.from('agents').where('status', '=', status).select('id').execute();
  expect(now).toHaveLength(2);
});
