import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { connectAgent } from './connections.ts';
import { setAgentStatus } from './set-status.ts';

const test = useTestApp();
let organization: TestOrganization;
let alma: TestAgent;

beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  alma = await buildAgent(organization);
});

const arrive = (away: boolean) =>
  connectAgent(agentScope(organization, alma), { connectionId: randomUUID(), away, reconnect: false });
const setStatus = (status: 'accepting chats' | 'offline') =>
  setAgentStatus(organization.scope, { login: alma.login, status });
const readAgent = () =>
  organization.scope.from('agents').where('id', '=', alma.login).select(['status', 'away']).executeTakeFirstOrThrow();

it('an agent whose socket is away stays away after being offline in between', async () => {
  await setStatus('accepting chats');
  await arrive(true);
  await setStatus('offline');
  await setStatus('accepting chats');
  expect(await readAgent()).toEqual({ status: 'accepting chats', away: true });
});

it('a status that is set after the last socket expired but before the timer noticed is kept', async () => {
  await arrive(false);
  test.clock.advance(31_000);
  await setStatus('accepting chats');
  await test.context.background.scheduler.runFrequent();
  expect(await readAgent()).toEqual({ status: 'accepting chats', away: false });
});
