import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { listGroupStatuses } from '#server/domain/support/groups/statuses.ts';
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
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { errorResponse } from '#server/testing/http/call-customer.ts';

const SALES = 7;
const SUPPORT = 8;

const test = useTestApp();
let organization: TestOrganization;
let normal: TestAgent;
let call: (operation: string, body?: object, by?: TestAgent) => ReturnType<ReturnType<typeof callAsAgent>>;

beforeAll(async () => {
  const configure = callAsAgent(test, 'configuration');
  call = (operation, body, by = organization.owner) => configure(by, operation, body);
});
beforeEach(async () => {
  organization = await buildOrganization(test);
  normal = await buildAgent(organization, { groupIds: [] });
  await Promise.all([buildGroup(organization, SALES), buildGroup(organization, SUPPORT)]);
});

const done = { status: 200, body: {} };
const wrong = errorResponse(400, 'validation');

describe('group routing', () => {
  it('is read by agents and updated by administrators; omitted fields stay unchanged', async () => {
    const get = async (by = normal) => (await call('get_group_routing', { group_id: SALES }, by)).body;
    expect(await get()).toEqual({ group_id: SALES, fallback_group_id: null, bots_first: false });
    expect(await call('update_group_routing', { group_id: SALES, fallback_group_id: SUPPORT })).toMatchObject(done);
    expect(await call('update_group_routing', { group_id: SALES, bots_first: true })).toMatchObject(done);
    expect(await call('update_group_routing', { group_id: SALES })).toMatchObject(done);
    expect(await get()).toEqual({ group_id: SALES, fallback_group_id: SUPPORT, bots_first: true });
    await call('update_group_routing', { group_id: SALES, fallback_group_id: null });
    expect(await get()).toMatchObject({ fallback_group_id: null, bots_first: true });
    const change = { group_id: SALES, bots_first: false };
    expect(await call('update_group_routing', change, normal)).toMatchObject(errorResponse(403, 'authorization'));
  });

  it('accepts only groups of the organization', async () => {
    const missing = errorResponse(404, 'group_not_found');
    const other = await buildOrganization(test);
    expect(await call('get_group_routing', { group_id: SALES }, other.owner)).toMatchObject(missing);
    expect(await call('update_group_routing', { group_id: 99 })).toMatchObject(missing);
    expect(await call('update_group_routing', { group_id: SALES, fallback_group_id: 99 })).toMatchObject(missing);
    for (const body of [{}, { group_id: SALES, fallback_group_id: SALES }, { group_id: SALES, bots_first: 'yes' }])
      expect(await call('update_group_routing', body)).toMatchObject(wrong);
  });

  it('assigns queued chats to agents of the fallback group immediately, also with circular fallbacks', async () => {
    const statusOf = async () =>
      (await listGroupStatuses(organization.scope, { all: false, groupIds: [SALES] }))[0]!.status;
    const agent = await buildAgent(organization, { groupIds: [SUPPORT] });
    await setAgentStatus(organization.scope, { login: agent.login, status: 'accepting chats' });
    expect(await statusOf()).toBe('offline');
    const { chatId } = await buildChat(organization, await buildCustomer(organization), {
      groupIds: [SALES],
      continuous: true,
    });
    const assignee = async () =>
      (await organization.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow())
        .assigneeId;
    expect(await assignee()).toBeNull();
    await call('update_group_routing', { group_id: SUPPORT, fallback_group_id: SALES });
    expect(await call('update_group_routing', { group_id: SALES, fallback_group_id: SUPPORT })).toMatchObject(done);
    expect(await statusOf()).toBe('online');
    expect(await assignee()).toBe(agent.login);
  });
});

describe('routing settings', () => {
  const defaults = { idle_close_minutes: 15, unassign_minutes: null, abandon_minutes: 2 };
  const get = async (by = normal) => (await call('get_routing_settings', {}, by)).body;

  it('are read by agents and updated by administrators; omitted fields stay unchanged', async () => {
    expect(await get()).toEqual(defaults);
    expect(await call('update_routing_settings', { idle_close_minutes: 1440, unassign_minutes: 1 })).toMatchObject(
      done,
    );
    expect(await call('update_routing_settings', { abandon_minutes: 1 })).toMatchObject(done);
    expect(await call('update_routing_settings', {})).toMatchObject(done);
    expect(await get()).toEqual({ idle_close_minutes: 1440, unassign_minutes: 1, abandon_minutes: 1 });
    await call('update_routing_settings', { unassign_minutes: null });
    expect(await get()).toMatchObject({ unassign_minutes: null });
    expect(await call('update_routing_settings', { abandon_minutes: 5 }, normal)).toMatchObject(
      errorResponse(403, 'authorization'),
    );
    expect(await get((await buildOrganization(test)).owner)).toEqual(defaults);
  });

  it('mean never if they are 0', async () => {
    const never = { idle_close_minutes: 0, unassign_minutes: 0, abandon_minutes: 0 };
    expect(await call('update_routing_settings', never)).toMatchObject(done);
    expect(await get()).toEqual(never);
  });

  it.each(['idle_close_minutes', 'unassign_minutes', 'abandon_minutes'])(
    'reject a value of %s that is out of range',
    async (name) => {
      for (const value of [1441, -1, 1.5, '15'])
        expect(await call('update_routing_settings', { [name]: value })).toMatchObject(wrong);
      if (name !== 'unassign_minutes')
        expect(await call('update_routing_settings', { [name]: null })).toMatchObject(wrong);
      expect(await get()).toEqual(defaults);
    },
  );
});
