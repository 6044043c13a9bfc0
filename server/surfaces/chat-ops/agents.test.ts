import { beforeAll, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { reader } from '../../testing/builders/archive.ts';

const test = useTestApp();
let organization: TestOrganization;
let alma: TestAgent;

beforeAll(async () => {
  organization = await buildOrganization(test);
  await buildGroup(organization, 3, 'Sales');
  test.clock.advance(1000);
  alma = await buildAgent(organization, { groupIds: [3] });
});

describe('GET /agents', () => {
  it('lists each agent with the five fields of the list view', async () => {
    const { status, body } = await reader(test, alma)('/agents');
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        name: 'Olga Owner',
        permission: 'owner',
        avatar: '',
        login: organization.owner.login,
        status: 'accepting chats',
      },
      { name: 'Alma Agent', permission: 'normal', avatar: '', login: alma.login, status: 'offline' },
    ]);
  });

  it('filters by status, with either encoding of spaces', async () => {
    const read = reader(test, alma);
    for (const status of ['accepting+chats', 'accepting%20chats']) {
      const { body } = await read(`/agents?status=${status}`);
      expect(body.map(({ login }: { login: string }) => login)).toEqual([organization.owner.login]);
    }
    expect((await read('/agents?status=not%20accepting%20chats')).body).toEqual([]);
    expect((await read('/agents?status=sleeping')).status).toBe(400);
  });

  it('accepts HEAD and a trailing slash', async () => {
    const headers = { authorization: alma.basic };
    const head = await test.app.inject({ method: 'HEAD', url: '/agents', headers });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect((await reader(test, alma)('/agents/')).status).toBe(200);
  });
});

describe('GET /agents/<login>', () => {
  it('returns all fields, with 0 and 1 for booleans, and the API key only to the agent who owns it', async () => {
    const { body } = await reader(test, alma)(`/agents/${alma.login}`);
    expect(body).toEqual({
      login: alma.login,
      name: 'Alma Agent',
      job_title: 'Support Agent',
      avatar: '',
      permission: 'normal',
      login_status: 'accepting chats',
      status: 'offline',
      daily_summary: 1,
      notifications: {
        new_visitor: 1,
        incoming_chat: 1,
        returning_visitor: 1,
        queued_visitor: 1,
        visitor_is_typing: 1,
        new_goal: 1,
      },
      last_logout: 0,
      max_chats_count: 6,
      groups: [{ id: 3, name: 'Sales' }],
      api_key: alma.apiKey,
    });
  });

  it('does not return another agent’s API key, not even to the owner', async () => {
    const { body } = await reader(test, organization.owner)(`/agents/${alma.login}`);
    expect(body.login).toBe(alma.login);
    expect(body).not.toHaveProperty('api_key');
  });

  it('accepts the login in any case, with @ encoded or not', async () => {
    const read = reader(test, organization.owner);
    for (const login of [alma.login.toUpperCase(), encodeURIComponent(alma.login)]) {
      expect((await read(`/agents/${login}`)).body).toMatchObject({ login: alma.login });
    }
  });

  it('returns the time of the last logout in Unix seconds', async () => {
    for (const status of ['accepting chats', 'offline'] as const)
      await setAgentStatus(organization.scope, { login: alma.login, status });
    const { body } = await reader(test, organization.owner)(`/agents/${alma.login}`);
    expect(body.last_logout).toBe(Math.floor(test.clock.now().getTime() / 1000));
  });

  it('returns 404 for unknown agents and agents of another organization', async () => {
    const other = await buildOrganization(test);
    const read = reader(test, other.owner);
    for (const login of [alma.login, 'nobody@shop.test']) {
      expect(await read(`/agents/${login}`)).toMatchObject({ status: 404, body: { code: 404 } });
    }
    expect((await read('/agents')).body).toHaveLength(1);
  });
});
