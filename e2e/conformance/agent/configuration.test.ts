import { afterAll, describe, expect, it } from 'vitest';
import { expectError, type Json } from '../customer/call.ts';
import { createAgent } from './agent-client.ts';
import { itWithDatabase, newTeam, openTarget, SALES } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const { owner, ...team } = await newTeam(target);
const other = await newTeam(target);

const set = async (operation: string, payload: object = {}): Promise<Json> => {
  const { status, body } = await owner.configure(operation, payload);
  expect({ operation, status, body }).toMatchObject({ status: 200 });
  return body;
};

describe('bots', () => {
  it('bots can be created, listed, updated, given a new token and deleted', async () => {
    const { id, token } = await set('create_bot', { name: 'Robbie', max_chats_count: 3, job_title: 'Greeter' });
    const bot = createAgent(target.url, { id, key: token, name: 'Robbie' });
    await bot.ok('set_routing_status', { status: 'accepting_chats' });
    expect(await set('get_bot', { id })).toEqual({
      ...{ id, name: 'Robbie', avatar: '', job_title: 'Greeter', max_chats_count: 3 },
      ...{ routing_status: 'accepting_chats', groups: [] },
    });
    expect(await set('update_bot', { id, name: 'Robina', max_chats_count: 4 })).toEqual({});
    expect(await set('list_bots')).toEqual([expect.objectContaining({ id, name: 'Robina', max_chats_count: 4 })]);
    expect(await set('issue_bot_token', { bot_id: id })).toEqual({ token });
    const { token: another } = await set('reset_bot_token', { id });
    expectError(await bot.call('list_chats'), 'authentication');
    await createAgent(target.url, { ...bot, key: another }).ok('list_chats');
    expect(await set('delete_bot', { id })).toEqual({});
    expectError(await owner.configure('get_bot', { id }), 'not_found');
    expectError(await createAgent(target.url, { ...bot, key: another }).call('list_chats'), 'authentication');
  });

  it.each<[string, object, string]>([
    ['create_bot', {}, 'validation'],
    ['create_bot', { name: 'x', max_chats_count: 1001 }, 'validation'],
    ['create_bot', { name: 'x', groups: [{ id: 99 }] }, 'group_not_found'],
    ['create_bot', { name: 'x', groups: [{ id: 0, priority: 'supervisor' }] }, 'validation'],
    ['get_bot', { id: 'nobody' }, 'not_found'],
    ['update_bot', { id: 'nobody', name: 'x' }, 'not_found'],
    ['delete_bot', { id: 'nobody' }, 'not_found'],
    ['reset_bot_token', { id: 'nobody' }, 'not_found'],
    ['issue_bot_token', { bot_id: 'nobody' }, 'not_found'],
  ])('%s rejects %j', async (operation, payload, type) => {
    expectError(await owner.configure(operation, payload), type);
  });

  it('bots are visible only in their own organization, and a person is not a bot', async () => {
    const { id } = await set('create_bot', { name: 'Ours' });
    for (const operation of ['get_bot', 'update_bot', 'delete_bot', 'reset_bot_token'])
      expectError(await other.owner.configure(operation, { id }), 'not_found');
    expect((await other.owner.configure('list_bots')).body).toEqual([]);
    expectError(await owner.configure('delete_bot', { id: owner.id }), 'not_found');
  });
});

describe('routing settings', () => {
  it('routing settings contain time limits with defaults', async () => {
    const defaults = { idle_close_minutes: 15, unassign_minutes: null, abandon_minutes: 2 };
    expect(await set('get_routing_settings')).toEqual(defaults);
    await set('update_routing_settings', { idle_close_minutes: 30, unassign_minutes: 5 });
    expect(await set('get_routing_settings')).toEqual({ ...defaults, idle_close_minutes: 30, unassign_minutes: 5 });
    await set('update_routing_settings', { unassign_minutes: null });
    expect(await set('get_routing_settings')).toEqual({ ...defaults, idle_close_minutes: 30 });
    expectError(await owner.configure('update_routing_settings', { abandon_minutes: 1441 }), 'validation');
    expect((await other.owner.configure('get_routing_settings')).body).toEqual(defaults);
  });

  itWithDatabase(target)('group routing settings contain the fallback group and bots_first', async () => {
    const group_id = SALES;
    expect(await set('get_group_routing', { group_id })).toEqual({
      group_id,
      fallback_group_id: null,
      bots_first: false,
    });
    await set('update_group_routing', { group_id, fallback_group_id: 0, bots_first: true });
    await set('update_group_routing', { group_id });
    expect(await set('get_group_routing', { group_id })).toEqual({ group_id, fallback_group_id: 0, bots_first: true });
    await set('update_group_routing', { group_id, fallback_group_id: null });
    expect(await set('get_group_routing', { group_id })).toMatchObject({ fallback_group_id: null, bots_first: true });
    expectError(await owner.configure('update_group_routing', { group_id, fallback_group_id: group_id }), 'validation');
    expectError(await owner.configure('update_group_routing', { group_id, fallback_group_id: 99 }), 'group_not_found');
    expectError(await owner.configure('get_group_routing', { group_id: 99 }), 'group_not_found');
  });
});

itWithDatabase(target)(
  'only the owner and administrators can change the configuration, and all agents can read the routing settings',
  async () => {
    const [administrator, normal] = [
      await team.addAgent('Adam', { permission: 'administrator' }),
      await team.addAgent('Nora'),
    ];
    const { id } = await set('create_bot', { name: 'Robbie' });
    const requests: [string, object][] = [
      ['create_bot', { name: 'x' }],
      ['list_bots', {}],
      ['get_bot', { id }],
      ['update_bot', { id, name: 'y' }],
      ['reset_bot_token', { id }],
      ['issue_bot_token', { bot_id: id }],
      ['delete_bot', { id }],
      ['update_group_routing', { group_id: SALES, bots_first: true }],
      ['update_routing_settings', { abandon_minutes: 3 }],
    ];
    for (const [operation, payload] of requests) {
      expectError(await normal.configure(operation, payload), 'authorization');
      expectError(
        await createAgent(target.url, { ...normal, key: 'dal-wrong' }).configure(operation, payload),
        'authentication',
      );
      expect({ operation, ...(await administrator.configure(operation, payload)) }).toMatchObject({
        operation,
        status: 200,
      });
    }
    for (const [operation, payload] of [
      ['get_group_routing', { group_id: SALES }],
      ['get_routing_settings', {}],
    ] as const)
      expect(await normal.configure(operation, payload)).toMatchObject({ status: 200 });
  },
);

itWithDatabase(target)('an expired license can still read its configuration but not change it', async () => {
  const ended = await newTeam(target);
  const { id } = await ended.bot('Robbie');
  await target.runSql!(`update organizations set status = 'expired' where id = $1`, [ended.id]);
  for (const operation of ['list_bots', 'get_routing_settings'])
    expect(await ended.owner.configure(operation)).toMatchObject({ status: 200 });
  for (const [operation, payload] of [
    ['create_bot', { name: 'x' }],
    ['delete_bot', { id }],
  ] as const)
    expectError(await ended.owner.configure(operation, payload), 'license_expired');
});
