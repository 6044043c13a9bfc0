import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let call: CallCustomer;
let chat_id: string;
/** Oldest first. Thread n has n messages and, except for the last, a system message about its end. */
let ids: string[];

beforeAll(async () => {
  organization = await buildOrganization(test);
  const customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  const first = await buildChat(organization, customer, { texts: ['1.1'] });
  chat_id = first.chatId;
  ids = [first.threadId];
  for (let thread = 2; thread <= 8; thread++) {
    test.clock.advance(1000);
    await call('deactivate_chat', { id: chat_id });
    const events = Array.from({ length: thread }, (_, at) => message(`${thread}.${at + 1}`));
    ids.push((await call('resume_chat', { chat: { id: chat_id, thread: { events } } })).body.thread_id);
  }
});

const list = (input: object = {}) => call('list_threads', { chat_id, ...input });
const idsOf = ({ body }: { body: { threads: { id: string }[] } }) => body.threads.map(({ id }) => id);

describe('list_threads', () => {
  it('returns three threads, newest first, with their events in order', async () => {
    const answer = await list();
    expect(idsOf(answer)).toEqual(ids.toReversed().slice(0, 3));
    expect(answer.body.found_threads).toBe(8);
    const [newest, second] = answer.body.threads;
    expect(newest.events.map(({ text }: { text: string }) => text)).toEqual(
      Array.from({ length: 8 }, (_, at) => `8.${at + 1}`),
    );
    expect(newest).toMatchObject({ active: true, previous_thread_id: second.id, access: { group_ids: [0] } });
    expect(newest).not.toHaveProperty('next_thread_id');
    expect(second).toMatchObject({ active: false, next_thread_id: newest.id });
    expect(second.events.at(-1)).toMatchObject({ type: 'system_message' });
    expect(newest.user_ids).toHaveLength(2);
  });

  it.each([
    [1, 200],
    [100, 200],
    [0, 400],
    [101, 400],
  ])('returns for a limit of %i the status %i', async (limit, status) =>
    expect((await list({ limit })).status).toBe(status),
  );

  it.each([
    [1, 200],
    [100, 200],
    [0, 400],
    [101, 400],
  ])('returns for a min_events_count of %i the status %i', async (min_events_count, status) =>
    expect((await list({ min_events_count })).status).toBe(status),
  );

  it.each([
    [1, 1],
    [8, 1],
    [9, 2],
    [16, 2],
    [17, 3],
    [41, 7],
    [100, 8],
  ])('returns the newest threads with at least %i events: %i', async (min_events_count, count) => {
    expect(idsOf(await list({ min_events_count }))).toEqual(ids.toReversed().slice(0, count));
    expect(idsOf(await list({ min_events_count, sort_order: 'asc' }))).toEqual(ids.slice(8 - count));
  });

  it('rejects incompatible parameters', async () => {
    const { next_page_id: page_id } = (await list({ limit: 2 })).body;
    for (const input of [
      { limit: 1, min_events_count: 1 },
      { page_id, limit: 2 },
      { page_id, sort_order: 'asc' },
      { page_id, min_events_count: 1 },
    ])
      expect(await list(input)).toMatchObject(errorResponse(400, 'validation'));
  });

  it.each(['asc', 'desc'])('pages forward and back (%s)', async (sort_order) => {
    const pages = [await list({ limit: 3, sort_order })];
    while (pages.at(-1)!.body.next_page_id) pages.push(await list({ page_id: pages.at(-1)!.body.next_page_id }));
    const all = sort_order === 'asc' ? ids : ids.toReversed();
    expect(pages.map((page) => idsOf(page))).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
    const back = await list({ page_id: pages[2]!.body.previous_page_id });
    expect(idsOf(back)).toEqual(all.slice(3, 6));
    expect(idsOf(await list({ page_id: back.body.previous_page_id }))).toEqual(all.slice(0, 3));
    expect(idsOf(await list({ page_id: back.body.next_page_id }))).toEqual(all.slice(6));
  });

  it('continues with older threads after `min_events_count`', async () => {
    const newest = await list({ min_events_count: 9 });
    expect(idsOf(await list({ page_id: newest.body.next_page_id }))).toEqual(ids.toReversed().slice(2, 4));
    const ascending = await list({ min_events_count: 9, sort_order: 'asc' });
    expect(idsOf(await list({ page_id: ascending.body.previous_page_id }))).toEqual(ids.slice(4, 6));
  });

  it('finds only chats of the customer', async () => {
    const stranger = callAs(test, organization, await buildCustomer(organization));
    expect(await stranger('list_threads', { chat_id })).toMatchObject(errorResponse(404, 'not_found'));
    expect(await call('list_threads', { chat_id: 'NOSUCHCHAT' })).toMatchObject(errorResponse(404, 'not_found'));
  });

  it.each([{}, { chat_id: '' }, { chat_id: 5 }, { chat_id: 'x'.repeat(65) }, { chat_id: null }])(
    'rejects %j',
    async (body) => expect(await call('list_threads', body)).toMatchObject(errorResponse(400, 'validation')),
  );

  it('accepts a page id only for the same chat', async () => {
    const { next_page_id: page_id } = (await list({ limit: 2 })).body;
    const other = (await call('start_chat')).body.chat_id;
    expect(await call('list_threads', { chat_id: other, page_id })).toMatchObject(errorResponse(400, 'validation'));
  });

  it('omits and does not count notes of agents', async () => {
    const { chat_id: chat } = (await call('start_chat', { chat: { thread: { events: [message('mine')] } } })).body;
    await organization.scope.services.support.appendLane.append({
      organizationId: organization.id,
      chatId: chat,
      author: { kind: 'agent', id: organization.owner.login },
      draft: { content: { type: 'message', text: 'whisper' }, visibility: 'agents', properties: {} },
      attachToLastThread: false,
      at: test.clock.now(),
    });
    const answer = await call('list_threads', { chat_id: chat });
    expect(JSON.stringify(answer.body)).not.toContain('whisper');
    expect(JSON.stringify((await call('get_chat', { chat_id: chat })).body)).not.toContain('whisper');
    expect(JSON.stringify((await call('list_chats')).body)).not.toContain('whisper');
  });
});
