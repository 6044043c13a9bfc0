import { pino } from 'pino';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildAgent, buildOrganization, type TestAgent, type TestOrganization } from '../testing/builders/factories.ts';

const lines: string[] = [];
const test = useTestApp({ log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }) });
let organization: TestOrganization;
let agent: TestAgent;
beforeAll(async () => {
  organization = await buildOrganization(test);
  agent = await buildAgent(organization);
});
beforeEach(() => void lines.splice(0));

const audited = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'audit');

const call = (by: TestAgent, method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) =>
  test.app.inject({
    method,
    url,
    headers: { authorization: by.basic, 'x-api-version': '2' },
    ...(payload && { payload }),
  });

it('logs who called an audited operation and how it ended, without its contents', async () => {
  const name = 'A name that is not logged';
  expect((await call(agent, 'PUT', `/agents/${agent.login}`, { name })).statusCode).toBe(200);
  const refused = await call(agent, 'POST', '/groups', { name: 'Sales', agents: [agent.login] });
  expect(refused.statusCode).toBe(403);
  const caller = { actor: 'agent', organizationId: organization.id, agentId: agent.login };
  expect(audited()).toMatchObject([
    { operation: 'update_agent', ...caller, params: { login: agent.login }, outcome: 'success' },
    { operation: 'create_group', ...caller, outcome: 'forbidden' },
  ]);
  expect(lines.join()).not.toContain(name);
});

it('logs no call of other operations', async () => {
  expect((await call(agent, 'GET', '/agents')).statusCode).toBe(200);
  expect(audited()).toEqual([]);
});
