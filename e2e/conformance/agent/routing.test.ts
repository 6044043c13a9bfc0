import { afterAll, describe, expect, it } from 'vitest';
import { expectError, type Json } from '../customer/call.ts';
import { type Agent, logInCustomer } from './agent-client.ts';
import { HELP, newTeam, openChat, openTarget, SALES } from './index.ts';

const target = await openTarget();
afterAll(target.close);

const ACCEPTING = { status: 'accepting_chats' };
const NOT_ACCEPTING_CHATS = { status: 'not_accepting_chats' };
const OFFLINE = { status: 'offline' };

describe.skipIf(!target.runSql)('routing of chats', async () => {
  if (!target.runSql) return;

  /** An organization with two sales agents and one support agent. */
  const setUp = async (limit = 2) => {
    const team = await newTeam(target);
    const alma = await team.addAgent('Alma', { groups: [SALES], limit });
    const bert = await team.addAgent('Bert', { groups: [SALES], limit });
    const hugo = await team.addAgent('Hugo', { groups: [HELP], limit });
    const assignmentsOf = async (chat_id: string): Promise<Json[]> =>
      (await team.owner.ok('list_assignments', { chat_id })).assignments;
    const agentOf = async (chat_id: string): Promise<string | undefined> =>
      (await assignmentsOf(chat_id)).at(-1)?.agent_id;
    const start = async (groupId = SALES) => (await openChat(await team.customer(), groupId)).chat_id;
    const accept = (...agents: Agent[]) => Promise.all(agents.map((one) => one.ok('set_routing_status', ACCEPTING)));
    return { team, owner: team.owner, alma, bert, hugo, assignmentsOf, agentOf, start, accept };
  };

  it('a chat goes to the agent with the fewest open chats relative to their limit, otherwise to the queue in FIFO order', async () => {
    const { owner, alma, bert, hugo, start, accept, agentOf, assignmentsOf } = await setUp();
    await accept(alma, bert, hugo);
    const chats = [await start(), await start(), await start(), await start(), await start(), await start()];
    const agents = await Promise.all(chats.map(agentOf));
    expect(agents.slice(0, 4).toSorted()).toEqual([alma.id, alma.id, bert.id, bert.id].toSorted());
    expect(agents[0]).not.toBe(agents[1]);
    expect(agents.slice(4)).toEqual([undefined, undefined]);
    expect((await assignmentsOf(chats[2]!))[0]).toMatchObject({
      rule: expect.stringMatching(/^(lowest_load|longest_waiting|login_order)$/),
      group_ids: [SALES],
      candidates: expect.arrayContaining([
        { agent_id: alma.id, open: 1, limit: 2, last_assigned_at: expect.any(String) },
      ]),
    });
    const queuePositionOf = async (chat_id: string) => (await owner.ok('get_chat', { chat_id })).thread.queue?.position;
    expect([await queuePositionOf(chats[4]!), await queuePositionOf(chats[5]!)]).toEqual([1, 2]);
    await owner.ok('deactivate_chat', { id: chats[0], ignore_requester_presence: true });
    expect(await agentOf(chats[4]!)).toBe(agents[0]);
    expect([await queuePositionOf(chats[4]!), await queuePositionOf(chats[5]!)]).toEqual([undefined, 1]);
    expect(await hugo.call('list_assignments', { chat_id: chats[0] })).toMatchObject({ status: 404 });
  });

  it('a chat without online agents fails with groups_offline unless it is continuous', async () => {
    const { team, alma, accept, agentOf } = await setUp();
    const customer = await team.customer();
    const chat = { access: { group_ids: [SALES] } };
    await alma.ok('set_routing_status', NOT_ACCEPTING_CHATS);
    expectError(await customer.call('start_chat', { chat }), 'groups_offline');
    const { chat_id } = await customer.ok('start_chat', { chat, continuous: true });
    expect(await agentOf(chat_id)).toBeUndefined();
    await accept(alma);
    expect(await agentOf(chat_id)).toBe(alma.id);
  });

  it('chats of an agent who goes offline are reassigned, chats of an agent who stops accepting stay', async () => {
    const { alma, bert, accept, start, agentOf } = await setUp();
    await accept(alma);
    const chat = await start();
    await accept(bert);
    await alma.ok('set_routing_status', NOT_ACCEPTING_CHATS);
    expect(await agentOf(chat)).toBe(alma.id);
    await alma.ok('set_routing_status', OFFLINE);
    expect(await agentOf(chat)).toBe(bert.id);
  });

  it('a transfer respects status and limit unless the request ignores availability', async () => {
    const { alma, bert, hugo, accept, start, agentOf } = await setUp(1);
    await accept(alma);
    const id = await start();
    const to = (agent: Agent, more: object = {}) =>
      alma.call('transfer_chat', { id, target: { type: 'agent', ids: [agent.id] }, ...more });
    expectError(await to(bert, { ignore_agents_availability: false }), 'groups_offline');
    await accept(hugo);
    await start(HELP);
    expectError(await to(hugo), 'limit_reached');
    expect(await alma.ok('list_agents_for_transfer', { chat_id: id })).toEqual([]);
    expectError(await alma.call('transfer_chat', { id, target: { type: 'group', ids: [77] } }), 'group_not_found');
    expectError(await to({ ...bert, id: 'nobody@shop.test' }), 'not_found');
    expect(await to(bert)).toMatchObject({ status: 200, body: {} });
    expect(await agentOf(id)).toBe(bert.id);
    expectError(await alma.call('transfer_chat', { id, target: { type: 'agent', ids: [hugo.id] } }), 'authorization');
  });

  it('a chat falls back to the fallback group, and a bot answers first where the group says so', async () => {
    const { team, owner, alma, hugo, accept, start, agentOf, assignmentsOf } = await setUp();
    await owner.configure('update_group_routing', { group_id: SALES, fallback_group_id: HELP });
    await accept(hugo);
    expect(await agentOf(await start())).toBe(hugo.id);

    const bot = await team.bot('Robbie', { groups: [{ id: SALES }] });
    await accept(alma, bot);
    expect(await agentOf(await start())).toBe(alma.id);
    await owner.configure('update_group_routing', { group_id: SALES, bots_first: true });
    const chat = await start();
    expect((await assignmentsOf(chat))[0]).toMatchObject({ agent_id: bot.id, rule: 'bot_first' });
    await bot.ok('transfer_chat', { id: chat, target: { type: 'group', ids: [SALES] } });
    expect(await agentOf(chat)).toBe(alma.id);
  });

  it('an agent who writes in or joins a queued chat becomes its assignee, a private note does not', async () => {
    const { alma, bert, start, agentOf, assignmentsOf } = await setUp();
    const chat_id = await start();
    await alma.ok('send_event', { chat_id, event: { type: 'message', text: 'a note', visibility: 'agents' } });
    expect(await agentOf(chat_id)).toBeUndefined();
    await bert.ok('send_event', { chat_id, event: { type: 'message', text: 'Hello' } });
    expect((await assignmentsOf(chat_id))[0]).toMatchObject({ agent_id: bert.id, rule: 'taken_over' });
  });
});

describe.skipIf(!target.runSql)('presence', async () => {
  if (!target.runSql) return;
  const team = await newTeam(target);
  const { owner } = team;
  const [alma, bert] = [await team.addAgent('Alma', { groups: [SALES] }), await team.addAgent('Bert')];
  const customer = await logInCustomer(await team.customer());
  const watcher = await owner.logIn();
  const statusOf = async ({ id }: Agent): Promise<string> =>
    (await owner.ok('list_routing_statuses')).find(({ agent_id }: Json) => agent_id === id).status;
  const waitForStatusPush = ({ id }: Agent, { status }: { status: string }) =>
    watcher.push('routing_status_set', (payload) => payload.agent_id === id && payload.status === status);

  it('login sets the preferred status and pushes the group statuses to every customer', async () => {
    const socket = await alma.logIn({ timezone: 'Europe/Warsaw', application: { name: 'console' } });
    expect(socket.welcome.my_profile.routing_status).toBe('accepting_chats');
    await waitForStatusPush(alma, ACCEPTING);
    const { groups } = await customer.push('groups_status_updated');
    expect(groups).toEqual(
      expect.arrayContaining([
        { id: 0, status: 'online' },
        { id: SALES, status: 'online' },
      ]),
    );
    expect(JSON.stringify(customer.frames)).not.toContain(alma.id);

    await socket.ok('set_away_status', { away: true });
    expect(await statusOf(alma)).toBe('accepting_chats');
    expect(await socket.request('set_away_status', {})).toMatchObject({ success: false });
    expect(await socket.request('logout')).toMatchObject({ success: true, payload: {} });
    await socket.closed;
    await waitForStatusPush(alma, OFFLINE);
    expect(await statusOf(alma)).toBe('offline');
  });

  it('an agent who is away on all connections gets no chats', async () => {
    const socket = await alma.logIn({});
    await socket.ok('set_away_status', { away: true });
    const { chat_id } = await openChat(await team.customer(), SALES);
    const assignments = async () => (await owner.ok('list_assignments', { chat_id })).assignments;
    expect(await assignments()).toEqual([]);
    await socket.ok('set_away_status', { away: false });
    expect(await assignments()).toMatchObject([{ agent_id: alma.id, rule: 'only_candidate' }]);
    await owner.ok('deactivate_chat', { id: chat_id, ignore_requester_presence: true });
    await socket.ok('logout');
  });

  it('an agent who reconnects keeps their status', async () => {
    const socket = await alma.logIn({});
    await socket.ok('set_routing_status', NOT_ACCEPTING_CHATS);
    socket.close();
    await socket.closed;
    const again = await alma.logIn({ reconnect: true });
    expect(again.welcome.my_profile.routing_status).toBe('not_accepting_chats');
    await again.ok('logout');
  });

  it('closing one of two connections keeps the other open', async () => {
    const [one, two] = [await alma.logIn({}), await alma.logIn({})];
    await one.ok('logout');
    await one.closed;
    expect(await statusOf(alma)).toBe('accepting_chats');
    await two.ok('logout');
    expect(await statusOf(alma)).toBe('offline');
  });

  it('agents set their own status, and administrators any agent’s', async () => {
    expectError(await alma.call('set_routing_status', { ...NOT_ACCEPTING_CHATS, agent_id: bert.id }), 'authorization');
    await owner.ok('set_routing_status', { ...NOT_ACCEPTING_CHATS, agent_id: bert.id });
    await waitForStatusPush(bert, NOT_ACCEPTING_CHATS);
    expectError(await owner.call('set_routing_status', { status: 'asleep' }), 'validation');
    expectError(
      await owner.call('set_routing_status', { ...NOT_ACCEPTING_CHATS, agent_id: 'nobody@shop.test' }),
      'not_found',
    );
    const inSales = await bert.ok('list_routing_statuses', { filters: { group_ids: [SALES] } });
    expect(inSales).toEqual([{ agent_id: alma.id, status: expect.any(String) }]);
  });

  it('logout_agent closes every connection with a reason', async () => {
    expectError(await alma.call('logout_agent', { agent_id: owner.id }), 'authorization');
    expectError(await owner.call('logout_agent', { agent_id: 'nobody@shop.test' }), 'not_found');
    const sockets = [await alma.logIn({}), await alma.logIn()];
    await owner.ok('logout_agent', { agent_id: alma.id });
    for (const socket of sockets) {
      expect(await socket.push('agent_disconnected')).toEqual({ reason: 'logged_out_remotely' });
      await socket.closed;
    }
    expect(await statusOf(alma)).toBe('offline');
  });
});
