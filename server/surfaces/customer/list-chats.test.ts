import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  renewToken,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const MONTH_MS = 31 * 24 * 3600 * 1000;

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
/** Oldest first. */
let ids: string[];

beforeAll(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  ids = [];
  for (let at = 0; at < 27; at++) {
    // Some share a timestamp, so that sorting needs a tie-breaker.
    if (at % 3 === 0) test.clock.advance(1000);
    ids.push((await buildChat(organization, customer, { texts: [`chat ${at}`] })).chatId);
  }
});

const idsOf = (body: { chats_summary: { id: string }[] }) => body.chats_summary.map(({ id }) => id);

const walk = async (first: object, direction: 'next_page_id' | 'previous_page_id') => {
  const pages = [(await call('list_chats', first)).body];
  while (pages.at(-1)[direction]) pages.push((await call('list_chats', { page_id: pages.at(-1)[direction] })).body);
  return pages;
};

describe('list_chats', () => {
  it('returns ten chats, newest first, and the total', async () => {
    const { status, body } = await call('list_chats');
    expect(status).toBe(200);
    expect(body.chats_summary).toHaveLength(10);
    expect(body.total_chats).toBe(27);
    expect(ids.slice(-3)).toContain(body.chats_summary[0].id);
    expect(body).not.toHaveProperty('previous_page_id');
  });

  it.each([
    [1, 200],
    [25, 200],
    [0, 400],
    [26, 400],
    [-1, 400],
    [1.5, 400],
    ['10', 400],
    [1e12, 400],
  ])('returns for a limit of %j the status %i', async (limit, status) => {
    const answer = await call('list_chats', { limit });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body.chats_summary).toHaveLength(limit as number);
    else expect(answer).toMatchObject(errorResponse(400, 'validation'));
  });

  it.each(['asc', 'desc'])('pages forward and back (%s)', async (sort_order) => {
    const pages = await walk({ limit: 5, sort_order }, 'next_page_id');
    const all = pages.flatMap(idsOf);
    expect(pages).toHaveLength(6);
    expect(new Set(all)).toEqual(new Set(ids));
    expect(all).toHaveLength(27);
    const times = pages.flatMap(({ chats_summary }) =>
      chats_summary.map((chat: { last_thread_created_at: string }) => chat.last_thread_created_at),
    );
    const sorted = times.toSorted();
    expect(times).toEqual(sort_order === 'asc' ? sorted : sorted.toReversed());
    const back = await walk({ page_id: pages.at(-1).previous_page_id }, 'previous_page_id');
    expect(back.toReversed().flatMap(idsOf)).toEqual(all.slice(0, 25));
    expect(back.at(-1)).not.toHaveProperty('previous_page_id');
  });

  it('accepts a page id alone', async () => {
    const { next_page_id: page_id } = (await call('list_chats', { limit: 2 })).body;
    for (const extra of [{ limit: 2 }, { sort_order: 'desc' }])
      expect(await call('list_chats', { page_id, ...extra })).toMatchObject(errorResponse(400, 'validation'));
  });

  it('treats null as absent', async () => {
    const { body } = await call('list_chats', { limit: null, sort_order: null, page_id: null });
    expect(body).toEqual((await call('list_chats', {})).body);
    const nothing = { limit: null, sort_order: null, page_id: null, min_events_count: null };
    const threads = await call('list_threads', { chat_id: ids[0], ...nothing });
    expect(threads.body).toEqual((await call('list_threads', { chat_id: ids[0] })).body);
  });

  it('rejects a page id that is forged, of another list or of another customer', async () => {
    const other = callAs(test, organization, await buildCustomer(organization));
    const { next_page_id: page_id } = (await call('list_chats', { limit: 2 })).body;
    expect(await other('list_chats', { page_id })).toMatchObject(errorResponse(400, 'validation'));
    expect(await call('list_threads', { chat_id: ids[0], page_id })).toMatchObject(errorResponse(400, 'validation'));
    for (const forged of ['x', 'a.b', `${page_id}x`, '', 'x'.repeat(5000)])
      expect(await call('list_chats', { page_id: forged })).toMatchObject(errorResponse(400, 'validation'));
  });

  it.each([['up'], [1], [true]])('rejects the order %j', async (sort_order) =>
    expect(await call('list_chats', { sort_order })).toMatchObject(errorResponse(400, 'validation')),
  );

  it('summarizes each chat', async () => {
    const chat = await buildChat(organization, customer, { texts: ['first', 'last'] });
    await call('deactivate_chat', { id: chat.chatId });
    const { body } = await call('list_chats', { limit: 25 });
    const summary = body.chats_summary.find(({ id }: { id: string }) => id === chat.chatId);
    expect(summary).toMatchObject({
      last_thread_id: chat.threadId,
      access: { group_ids: [0] },
      properties: {},
      active: false,
      last_event_per_type: {
        message: { thread_id: chat.threadId, event: { text: 'last', author_id: customer.id } },
        system_message: { event: { system_message_type: 'manual_archived_customer' } },
      },
    });
    expect(summary.last_thread_created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(summary.users[0]).toMatchObject({ id: customer.id, type: 'customer' });
    expect(JSON.stringify(body)).not.toContain(organization.owner.login);
  });

  it('moves a chat to the front when it is resumed', async () => {
    test.clock.advance(1000);
    const [oldest] = (await call('list_chats', { limit: 1, sort_order: 'asc' })).body.chats_summary;
    await call('deactivate_chat', { id: oldest.id });
    await call('resume_chat', { chat: { id: oldest.id, thread: { events: [message('back')] } } });
    expect((await call('list_chats', { limit: 1 })).body.chats_summary[0].id).toBe(oldest.id);
  });

  it('is empty for a customer who never chatted', async () => {
    const other = callAs(test, organization, await buildCustomer(organization));
    expect((await other('list_chats')).body).toEqual({ chats_summary: [], total_chats: 0 });
  });

  it('rejects a page id after a month', async () => {
    const { next_page_id: page_id } = (await call('list_chats', { limit: 2 })).body;
    test.clock.advance(MONTH_MS + 1);
    const later = callAs(test, organization, await renewToken(organization, customer));
    expect(await later('list_chats', { page_id })).toMatchObject(errorResponse(400, 'validation'));
  });
});
