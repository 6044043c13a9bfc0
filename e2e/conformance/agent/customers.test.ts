import { afterAll, describe, expect, it } from 'vitest';
import { type Caller, expectError, type Json, TIME, UUID } from '../customer/call.ts';
import { logInCustomer } from './agent-client.ts';
import { itWithDatabase, newTeam, openChat, openTarget } from './index.ts';
import { actionsOf, createPushRecorder } from './push-recorder.ts';
import type { Socket } from './socket.ts';

const target = await openTarget();
afterAll(target.close);
const { owner, ...team } = await newTeam(target);
const bot = await team.bot('Robbie');

const page = { url: 'https://shop.test/cart', title: 'Cart' };

describe('customers in the agent API', () => {
  it('customers can be created, read, updated and listed', async () => {
    const { customer_id: id } = await bot.ok('create_customer', {
      ...{ name: 'Ann Example', email: 'ann@example.com', avatar: 'https://example.com/ann.png' },
      session_fields: [{ plan: 'gold' }],
    });
    expect(id).toMatch(UUID);
    expect(await owner.ok('get_customer', { id })).toMatchObject({
      ...{ id, type: 'customer', name: 'Ann Example', email: 'ann@example.com', session_fields: [{ plan: 'gold' }] },
      ...{ chat_ids: [], group_ids: [0], state: 'offline', online: false, followed: false },
      statistics: { chats_count: 0, threads_count: 0, visits_count: 0 },
      created_at: expect.stringMatching(TIME),
    });
    expect(await owner.ok('update_customer', { id, name: 'Anna' })).toEqual({});
    expect(await owner.ok('set_customer_session_fields', { id, session_fields: [{ cart: '3' }] })).toEqual({});
    const read = await owner.ok('get_customer', { id });
    expect(read).toMatchObject({ name: 'Anna', email: 'ann@example.com', session_fields: [{ cart: '3' }] });
    for (const filters of [{ email: { values: ['ANN@example.com'] } }, { customer_id: { values: [id] } }])
      expect(await owner.ok('list_customers', { filters })).toMatchObject({ customers: [{ id }], total_customers: 1 });
    const none = await owner.ok('list_customers', { filters: { customer_id: { values: [id], exclude_values: [id] } } });
    expect(none).toMatchObject({ customers: [], total_customers: 0 });
  });

  it('customers have chat counts and are listed in pages', async () => {
    const customer = await team.customer();
    const { chat_id } = await openChat(customer);
    expect(await owner.ok('get_customer', { id: customer.id })).toMatchObject({ chat_ids: [chat_id], state: 'queued' });
    const seen = new Set<string>();
    let response: Json = await owner.ok('list_customers', { limit: 1, sort_order: 'asc', sort_by: 'threads_count' });
    const { total_customers: total } = response;
    for (
      ;
      response;
      response = response.next_page_id && (await owner.ok('list_customers', { page_id: response.next_page_id }))
    )
      seen.add(response.customers[0].id);
    expect(seen.size).toBe(total);
  });

  it.each<[string, object, string]>([
    ['get_customer', { id: crypto.randomUUID() }, 'not_found'],
    ['get_customer', {}, 'validation'],
    ['update_customer', { id: crypto.randomUUID(), name: 'x' }, 'not_found'],
    ['create_customer', { email: 'nobody' }, 'validation'],
    ['create_customer', { avatar: 'javascript:alert(1)' }, 'validation'],
    ['list_customers', { limit: 101 }, 'validation'],
    ['list_customers', { page_id: 'x' }, 'validation'],
    ['list_customers', { sort_by: 'height' }, 'validation'],
    ['ban_customer', { id: crypto.randomUUID(), ban: { days: 1 } }, 'not_found'],
    ['ban_customer', { id: crypto.randomUUID(), ban: { days: 0 } }, 'validation'],
    ['unban_customer', {}, 'validation'],
    ['follow_customer', { id: crypto.randomUUID() }, 'not_found'],
  ])('%s rejects %j', async (operation, payload, type) => {
    expectError(await owner.call(operation, payload), type);
  });
});

describe('pushes about customers', async () => {
  const [customer, passerby] = [await team.customer(), await team.customer()];
  const sockets = {
    owner: await owner.logIn(),
    watcher: await bot.logIn({ away: true, customer_monitoring_level: 'online' }),
    customer: await logInCustomer(customer),
    passerby: await logInCustomer(passerby),
  };
  const { recordPushes, close } = createPushRecorder(owner, sockets, [customer.id, passerby.id]);
  afterAll(close);
  const about = { id: customer.id };
  const gone = await team.customer();
  await target.runSql?.(
    `update visits set last_seen_at = now() - interval '31 minutes' where organization_id = $1 and customer_id = $2`,
    [team.id, gone.id],
  );

  it('customer_updated reaches all agents and the customer', async () => {
    const received = await recordPushes(() => owner.ok('update_customer', { ...about, name: 'Ann' }));
    const push = ['customer_updated'];
    expect(actionsOf(received)).toEqual({ owner: push, watcher: push, customer: push });
    expect(received.watcher[0].payload).toMatchObject({ id: customer.id, name: 'Ann' });
  });

  it('incoming_customer and customer_unfollowed reach the follower, who then receives the customer’s page views', async () => {
    const visit = () => sockets.customer.ok('update_customer_page', page);
    expect(actionsOf(await recordPushes(visit))).toEqual({
      watcher: expect.arrayContaining(['customer_page_updated']),
    });
    const followed = await recordPushes(() => owner.ok('follow_customer', about));
    expect(actionsOf(followed)).toEqual({ owner: ['incoming_customer'] });
    expect(followed.owner[0].payload).toMatchObject({ customer: { id: customer.id, followed: true, online: true } });
    const paged = await recordPushes(visit);
    expect(actionsOf(paged)).toEqual({ owner: ['customer_page_updated'], watcher: ['customer_page_updated'] });
    expect(paged.owner[0].payload).toMatchObject({ customer_id: customer.id, page });
    const left = await recordPushes(() => owner.ok('unfollow_customer', about));
    expect(actionsOf(left)).toEqual({ owner: ['customer_unfollowed'] });
    expect(actionsOf(await recordPushes(() => owner.ok('unfollow_customer', about)))).toEqual({});
    expect(actionsOf(await recordPushes(visit))).toEqual({ watcher: ['customer_page_updated'] });
  });

  it('incoming_customer and customer_visit_started reach agents who monitor the site', async () => {
    const [newcomers, sockets]: [Caller[], Socket[]] = [[], []];
    const received = await recordPushes(async () => {
      newcomers.push(await team.customer());
      sockets.push(await logInCustomer(newcomers[0]!, { customer_page: page }));
    });
    expect(Object.keys(actionsOf(received))).toEqual(['watcher']);
    const { id } = newcomers[0]!;
    expect(received.watcher).toMatchObject([
      { action: 'incoming_customer', payload: { customer: { id, statistics: { visits_count: 1 } } } },
      { action: 'customer_visit_started', payload: { customer: { id, last_visit: { last_pages: [] } } } },
      { action: 'customer_page_updated', payload: { customer_id: id, page } },
    ]);
    sockets[0]!.close();
  });

  it('customer_session_fields_updated is pushed during a chat', async () => {
    const { chat_id, thread_id } = await openChat(customer);
    const fields = { session_fields: [{ cart: '5' }] };
    const received = await recordPushes(() => owner.ok('set_customer_session_fields', { ...about, ...fields }));
    expect(received.owner).toContainEqual(
      expect.objectContaining({
        action: 'customer_session_fields_updated',
        payload: { ...about, active_chat: { chat_id, thread_id }, ...fields },
      }),
    );
    expect(actionsOf(received).passerby).toBeUndefined();
  });

  it('customer_banned reaches all agents, and the customer is disconnected and cannot return', async () => {
    const [banned, witness] = [await team.customer(), sockets.watcher];
    const socket = await logInCustomer(banned);
    await owner.ok('ban_customer', { id: banned.id, ban: { days: 2 } });
    const push = await witness.push('customer_banned');
    expect(push).toEqual({ customer_id: banned.id, ban: { days: 2 } });
    expect(await socket.push('customer_disconnected')).toEqual({ reason: 'customer_banned' });
    await socket.closed;
    expectError(await banned.call('get_customer'), 'customer_banned');
    expect(await owner.ok('get_customer', { id: banned.id })).toHaveProperty('banned_until');
    await owner.ok('unban_customer', { id: banned.id });
    await banned.ok('get_customer');
    expect(await owner.ok('get_customer', { id: banned.id })).not.toHaveProperty('banned_until');
    await owner.ok('unban_customer', { ip: '203.0.113.9' });
  });

  // Ended visits are detected every ten seconds, so the visits created at the beginning have ended by now or will soon.
  itWithDatabase(target)('customer_visit_ended reaches agents who monitor the site', async () => {
    const isGone = ({ customer_id }: Json): boolean => customer_id === gone.id;
    expect(await sockets.watcher.push('customer_visit_ended', isGone)).toEqual({ customer_id: gone.id });
    expect(sockets.owner.frames.filter(({ action }) => action === 'customer_visit_ended')).toEqual([]);
    expect(await owner.ok('get_customer', { id: gone.id })).toMatchObject({ state: 'offline', online: false });
  });
});
