import { afterAll, describe, expect, it } from 'vitest';
import { expectError, type Json, message } from '../customer/call.ts';
import { HELP, join, newTeam, openChat, openTarget, SALES } from './index.ts';

const target = await openTarget();
afterAll(target.close);

describe.skipIf(!target.runSql)('archives and chat lists', async () => {
  if (!target.runSql) return;
  const team = await newTeam(target);
  const { owner } = team;
  const [alma, hugo] = [
    await team.addAgent('Alma', { groups: [SALES] }),
    await team.addAgent('Hugo', { groups: [HELP] }),
  ];

  /** One chat that was answered, tagged, rated and closed, one unanswered chat, and one ongoing chat. */
  const customer = await team.customer();
  const answered = await openChat(customer, SALES, ['Where is my parcel?']);
  await join(alma, answered.chat_id);
  await alma.ok('send_event', { chat_id: answered.chat_id, event: message('a secret word', { visibility: 'agents' }) });
  await alma.ok('send_event', { chat_id: answered.chat_id, event: message('It is here') });
  await alma.ok('tag_thread', { chat_id: answered.chat_id, thread_id: answered.thread_id, tag: 'parcel' });
  const rating = { rating: { score: 1 } };
  await customer.ok('update_thread_properties', {
    chat_id: answered.chat_id,
    thread_id: answered.thread_id,
    properties: rating,
  });
  await alma.ok('deactivate_chat', { id: answered.chat_id });
  const missed = await openChat(customer, HELP, ['Anybody?']);
  await customer.ok('deactivate_chat', { id: missed.chat_id });
  const ongoing = await openChat(customer, SALES, ['And this?']);

  const search = async (filters: object, as = owner): Promise<string[]> => {
    const { chats, found_chats } = await as.ok('list_archives', { filters });
    expect(found_chats).toBe(chats.length);
    return chats.map(({ thread }: Json) => thread.id);
  };
  const both = [missed.thread_id, answered.thread_id];

  it.each<[string, object, 'answered' | 'missed' | 'both' | 'none']>([
    ['nothing', {}, 'both'],
    ['words', { query: 'parcel' }, 'answered'],
    ['words of a note', { query: 'secret' }, 'answered'],
    ['words that do not occur', { query: 'elephant' }, 'none'],
    ['groups', { group_ids: [HELP] }, 'missed'],
    ['an agent', { agents: { values: [alma.id] } }, 'answered'],
    ['no agent', { agents: { exists: false } }, 'missed'],
    ['other agents', { agents: { exclude_values: [alma.id] } }, 'missed'],
    ['a tag', { tags: { values: ['parcel'] } }, 'answered'],
    ['every tag', { tags: { values: ['parcel', 'vip'], require_every_value: true } }, 'none'],
    ['no tags', { tags: { exists: false } }, 'missed'],
    ['threads', { thread_ids: [missed.thread_id] }, 'missed'],
    ['a property', { properties: { rating: { score: { values: [1] } } } }, 'answered'],
    ['an answer', { agent_response: { exists: true } }, 'answered'],
    ['the first answer', { agent_response: { first: true, agents: { values: [alma.id] } } }, 'answered'],
    ['kinds of events', { event_types: { values: ['file'] } }, 'none'],
    ['goals', { goals: { exists: true } }, 'none'],
    ['sales', { sales: { exists: true } }, 'none'],
    ['surveys', { surveys: [{ type: 'pre_chat', exists: true }] }, 'none'],
    ['greetings', { greetings: { exists: true } }, 'none'],
    ['an end in the past', { to: '2020-01-01T00:00:00.000000Z' }, 'none'],
    ['a start in the past', { from: '2020-01-01T00:00:00.000000Z' }, 'both'],
    ['empty filters', { tags: null, agents: { values: [] }, group_ids: [], thread_ids: [], query: '' }, 'both'],
  ])('list_archives filters by %s', async (_, filters, found) => {
    const expected = { answered: [answered.thread_id], missed: [missed.thread_id], both, none: [] }[found];
    expect(await search(filters)).toEqual(expected);
  });

  it('list_archives returns whole chats and shows each agent only the chats of their groups', async () => {
    expect(await search({}, alma)).toEqual([answered.thread_id]);
    expect(await search({}, hugo)).toEqual([missed.thread_id]);
    const { chats } = await alma.ok('list_archives');
    expect(chats[0]).toMatchObject({
      ...{ id: answered.chat_id, is_followed: false, access: { group_ids: [SALES] } },
      thread: { id: answered.thread_id, active: false, tags: ['parcel'], properties: rating },
    });
    expect(JSON.stringify(chats[0].thread.events)).toContain('a secret word');
  });

  it('list_archives returns pages', async () => {
    const first = await owner.ok('list_archives', { limit: 1, sort_order: 'asc' });
    const second = await owner.ok('list_archives', { page_id: first.next_page_id });
    expect([first.chats[0].thread.id, second.chats[0].thread.id]).toEqual(both.toReversed());
    expect(second).not.toHaveProperty('next_page_id');
    expect(second).toHaveProperty('previous_page_id');
    expectError(await owner.call('list_archives', { page_id: `${first.next_page_id}x` }), 'validation');
    expectError(await owner.call('list_archives', { limit: 101 }), 'validation');
    expectError(await owner.call('list_archives', { filters: { from: 'yesterday' } }), 'validation');
  });

  it('list_chats returns the chats of the agent’s groups, sorted by their last thread', async () => {
    const idsFor = async (agent = owner, payload: object = {}) => {
      const { chats_summary, found_chats } = await agent.ok('list_chats', payload);
      expect(found_chats).toBe(chats_summary.length);
      return chats_summary.map(({ id }: Json) => id);
    };
    const all = [ongoing.chat_id, missed.chat_id, answered.chat_id];
    expect(await idsFor()).toEqual(all);
    expect(await idsFor(owner, { sort_order: 'asc' })).toEqual(all.toReversed());
    expect(await idsFor(alma)).toEqual([ongoing.chat_id, answered.chat_id]);
    expect(await idsFor(owner, { filters: { include_active: false } })).toEqual(all.slice(1));
    expect(await idsFor(owner, { filters: { group_ids: [HELP] } })).toEqual([missed.chat_id]);
    expectError(await owner.call('list_chats', { limit: 0 }), 'validation');
  });

  it('list_threads and get_chat return every thread, including private notes', async () => {
    await alma.ok('resume_chat', { chat: { id: answered.chat_id } });
    const { threads, found_threads } = await alma.ok('list_threads', { chat_id: answered.chat_id });
    expect({ found_threads, last: threads[1].id }).toEqual({ found_threads: 2, last: answered.thread_id });
    const one = await alma.ok('list_threads', { chat_id: answered.chat_id, limit: 1, sort_order: 'asc' });
    expect(one).toMatchObject({ threads: [{ id: answered.thread_id }], next_page_id: expect.any(String) });
    const old = await alma.ok('list_threads', {
      chat_id: answered.chat_id,
      filters: { to: '2020-01-01T00:00:00.000000Z' },
    });
    expect(old).toMatchObject({ threads: [], found_threads: 0 });
    const { users } = await alma.ok('get_chat', { chat_id: answered.chat_id, thread_id: answered.thread_id });
    expect(users).toContainEqual(
      expect.objectContaining({ id: alma.id, email: alma.id, type: 'agent', name: 'Alma', visibility: 'all' }),
    );
    expectError(await alma.call('get_chat', { chat_id: answered.chat_id, thread_id: 'NOSUCH' }), 'not_found');
  });
});
