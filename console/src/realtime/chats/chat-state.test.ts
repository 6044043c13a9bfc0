import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chat, ChatSummary } from '#contracts/chat/chats.ts';
import type { Push } from '#contracts/chat/frames.ts';
import { createChatState } from './chat-state.ts';
import { type Outbox, withoutArrived } from './outbox.ts';
import type { LiveChat } from './state.ts';

const AGENT = 'agent@example.com';
const CUSTOMER = 'c0ffee00-0000-4000-8000-000000000000';
const at = (tick: number): string => new Date(1_800_000_000_000 + tick * 1000).toISOString();

/** A model of the server: a few chats, and the pushes of the agent API about them. */
const openServer = () => {
  const chats = new Map<string, Chat>();
  let tick = 0;
  const pushes: Push[] = [];
  const threadOf = (chat: Chat) => chat.thread!;
  const place = (chat: Chat) => ({ chat_id: chat.id, thread_id: threadOf(chat).id });

  const start = (id: string): void => {
    const known = chats.get(id);
    if (known?.thread?.active) return;
    const number = known ? Number(threadOf(known).id.split('-')[1]) + 1 : 1;
    const chat: Chat = {
      id,
      users: [{ id: CUSTOMER, type: 'customer', present: true }],
      access: { group_ids: [0] },
      properties: {},
      thread: {
        id: `${id}-${number}`,
        active: true,
        user_ids: [CUSTOMER],
        events: [],
        properties: {},
        access: { group_ids: [0] },
        tags: [],
        created_at: at(++tick),
      },
    };
    chats.set(id, chat);
    pushes.push({ action: 'incoming_chat', payload: { chat: structuredClone(chat) } });
  };

  const send = (id: string, customId?: string): void => {
    const chat = chats.get(id);
    if (!chat?.thread?.active) return;
    const { events } = chat.thread;
    // Like the server: a repeated custom id pushes the existing event again.
    let event = customId === undefined ? undefined : events.find((one) => one.custom_id === customId);
    if (!event) {
      event = {
        id: `${chat.thread.id}_${events.length + 1}`,
        type: 'message',
        text: `message ${tick}`,
        author_id: customId === undefined ? CUSTOMER : AGENT,
        visibility: 'all',
        created_at: at(++tick),
        ...(customId === undefined ? {} : { custom_id: customId }),
      };
      events.push(event);
    }
    pushes.push({ action: 'incoming_event', payload: { ...place(chat), event: structuredClone(event) } });
  };

  const change = (id: string, what: 'close' | 'join' | 'leave' | 'tag' | 'untag' | 'seen' | 'rate'): void => {
    const chat = chats.get(id);
    if (!chat?.thread?.active) return;
    const { thread } = chat;
    const by = { reason: 'manual', user_type: 'agent' as const };
    if (what === 'close') {
      thread.active = false;
      pushes.push({ action: 'chat_deactivated', payload: place(chat) });
    } else if (what === 'join') {
      const user = { id: AGENT, type: 'agent' as const, present: true, visibility: 'all' as const };
      chat.users = [...chat.users.filter((one) => one.id !== AGENT), user];
      pushes.push({ action: 'user_added_to_chat', payload: { ...place(chat), user, ...by } });
    } else if (what === 'leave') {
      chat.users = chat.users.map((one) => (one.id === AGENT ? { ...one, present: false } : one));
      pushes.push({ action: 'user_removed_from_chat', payload: { ...place(chat), user_id: AGENT, ...by } });
    } else if (what === 'tag') {
      if (!thread.tags!.includes('sale')) thread.tags!.push('sale');
      pushes.push({ action: 'thread_tagged', payload: { ...place(chat), tag: 'sale' } });
    } else if (what === 'untag') {
      thread.tags = thread.tags!.filter((tag) => tag !== 'sale');
      pushes.push({ action: 'thread_untagged', payload: { ...place(chat), tag: 'sale' } });
    } else if (what === 'seen') {
      const seen = at(tick);
      chat.users = chat.users.map((one) => (one.id === CUSTOMER ? { ...one, events_seen_up_to: seen } : one));
      const payload = { chat_id: id, user_id: CUSTOMER, seen_up_to: seen };
      pushes.push({ action: 'events_marked_as_seen', payload });
    } else {
      const properties = { rating: { score: tick % 2 } };
      thread.properties = properties;
      pushes.push({ action: 'thread_properties_updated', payload: { ...place(chat), properties } });
    }
  };

  return {
    pushes,
    start,
    send,
    change,
    chat: (id: string) => structuredClone(chats.get(id)),
    active: () => [...chats.values()].filter((chat) => chat.thread?.active).map((chat) => structuredClone(chat)),
  };
};

const summaryOf = (chat: Chat): ChatSummary => {
  const event = chat.thread!.events.at(-1);
  const { id, users, access, properties, thread } = chat;
  return {
    id,
    users,
    access,
    properties,
    last_thread_id: thread!.id,
    last_thread_created_at: thread!.created_at,
    active: thread!.active,
    last_event_per_type: event
      ? { message: { thread_id: thread!.id, thread_created_at: thread!.created_at, event } }
      : {},
  };
};

const ids = ['A', 'B'];
const chatId = fc.constantFrom(...ids);
const step = fc.oneof(
  fc.record({ do: fc.constant('start' as const), id: chatId }),
  fc.record({ do: fc.constant('hear' as const), id: chatId }),
  fc.record({ do: fc.constant('say' as const), id: chatId, word: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    do: fc.constant('change' as const),
    id: chatId,
    what: fc.constantFrom('close', 'join', 'leave', 'tag', 'untag', 'seen', 'rate'),
  }),
  fc.record({ do: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('lose' as const) }),
  fc.record({ do: fc.constant('ask' as const), id: chatId }),
  fc.record({ do: fc.constant('list' as const) }),
  fc.record({ do: fc.constant('read' as const), which: fc.nat(5) }),
  fc.record({ do: fc.constant('answer' as const), which: fc.nat(5) }),
);

const core = ({ id, users, active, threadId, threadProperties, tags, events, groupIds }: LiveChat) => ({
  id,
  users,
  active,
  threadId,
  threadProperties,
  tags,
  events,
  groupIds,
});

describe('chat state', () => {
  it('matches the server for every order of pushes, responses and lost connections', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), (steps) => {
        const server = openServer();
        const state = createChatState(AGENT, () => 0);
        let delivered = 0;
        let outbox: Outbox = [];
        /** A pending request. Its response is the server's state at some moment after it was sent. */
        type Open = {
          request: ReturnType<typeof state.beginRequest>;
          id?: string;
          answer?: Chat[] | Chat | undefined;
          isRead: boolean;
        };
        let open: Open[] = [];

        const settle = (): void => {
          for (const id of ids) outbox = withoutArrived(outbox, id, state.chats().get(id)?.events ?? []);
        };
        const deliver = (count: number): void => {
          const batch = server.pushes.slice(delivered, delivered + count);
          delivered += batch.length;
          state.push(batch);
          settle();
        };
        const look = (one: Open): void => {
          if (one.isRead) return;
          one.answer = one.id === undefined ? server.active() : server.chat(one.id);
          one.isRead = true;
        };
        const answer = (one: Open, afterGap = false): void => {
          look(one);
          if (one.id === undefined) one.request.applyList((one.answer as Chat[]).map(summaryOf), { afterGap });
          else one.request.applyChat(one.id, one.answer as Chat | undefined);
          open = open.filter((other) => other !== one);
          settle();
        };
        const ask = (id?: string): Open => {
          const one: Open = { request: state.beginRequest(), ...(id === undefined ? {} : { id }), isRead: false };
          open.push(one);
          return one;
        };

        for (const id of ids) server.start(id);
        deliver(ids.length);
        for (const one of steps) {
          if (one.do === 'start') server.start(one.id);
          else if (one.do === 'hear') server.send(one.id);
          else if (one.do === 'say') {
            const customId = `${one.id} ${one.word}`;
            const isNew = !outbox.some((unsent) => unsent.customId === customId);
            if (isNew && server.chat(one.id)?.thread?.active) {
              const event = { type: 'message' as const, text: customId };
              outbox = [...outbox, { customId, chatId: one.id, event, writtenAt: '', state: 'sending' }];
            }
            server.send(one.id, customId);
          } else if (one.do === 'change') server.change(one.id, one.what as 'close');
          else if (one.do === 'deliver') deliver(one.count);
          else if (one.do === 'lose') {
            // Pushes in transit are lost. After the next login everything is read again and pending requests are dropped.
            delivered = server.pushes.length;
            for (const { request } of open) request.cancel();
            open = [];
            answer(ask(), true);
          } else if (one.do === 'ask') ask(one.id);
          else if (one.do === 'list') ask();
          else if (open.length > 0) {
            const chosen = open[one.which % open.length]!;
            if (one.do === 'read') look(chosen);
            else answer(chosen);
          }
        }

        deliver(server.pushes.length);
        for (const one of [...open]) answer(one);
        // Only chats that are known to be incomplete are read again, as when an agent opens them.
        for (const { id } of server.active()) if (!state.chats().get(id)?.isComplete) answer(ask(id));
        const known = [...state.chats().values()].filter(({ active }) => active).map(core);
        const expected = server.active().map(({ id, users, thread, access }) => ({
          id,
          users,
          active: true,
          threadId: thread!.id,
          threadProperties: thread!.properties,
          tags: thread!.tags,
          events: thread!.events,
          groupIds: access.group_ids,
        }));
        const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
        expect(known.sort(byId)).toEqual(expected.sort(byId));
        for (const { chatId: id, customId } of outbox) {
          const thread = server.chat(id)?.thread;
          const events = thread?.active ? thread.events : [];
          expect(events.some((event) => event.custom_id === customId)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a thread complete by pushes alone and detects a missing one', () => {
    const server = openServer();
    const state = createChatState(AGENT, () => 0);
    server.start('A');
    for (let n = 0; n < 3; n++) server.send('A');
    const [begun, first, , third] = server.pushes;
    expect(state.push([begun!, first!])).toEqual(new Set());
    expect(state.chats().get('A')!.isComplete).toBe(true);
    expect(state.push([third!])).toEqual(new Set(['A']));
    expect(state.chats().get('A')!.isComplete).toBe(false);
  });
});
