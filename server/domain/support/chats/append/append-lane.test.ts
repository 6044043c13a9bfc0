import { once } from 'node:events';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { organizationTopic } from '#server/domain/events.ts';
import { toDomainError } from '#server/http/to-domain-error.ts';
import { openDatabase } from '#server/storage/database.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { deactivateChat } from '../lifecycle/deactivate-chat.ts';
import type { EventDraft } from '../records.ts';
import { type AppendLane, createAppendLane, type LaneServices } from './append-lane.ts';
import type { AppendItem } from './append-statement.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let lane: AppendLane;
beforeAll(async () => {
  organization = await buildOrganization(test);
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  lane = newLane();
});

const newLane = (services: Partial<LaneServices> = {}, lanes = 4): AppendLane =>
  createAppendLane(
    { database: test.context.database, reactions: test.context.services.reactions, ...services },
    { lanes, maxPerBatch: 50 },
  );
const newChat = async () => (await buildChat(organization, customer)).chatId;
const item = (chatId: string, text: string, customId?: string): AppendItem => ({
  organizationId: organization.id,
  chatId,
  author: { kind: 'customer', id: customer.id },
  draft: messageDraft(text, customId),
  attachToLastThread: false,
  at: test.clock.now(),
});
const stored = (chatId: string) =>
  organization.scope.from('events').where('chatId', '=', chatId).orderBy('number').selectAll().execute();
const textsOf = async (chatId: string) => (await stored(chatId)).map(({ content }) => content.text);

describe('the append lane', () => {
  it('keeps the order of each chat without gaps for many concurrent messages', async () => {
    const chats = await Promise.all(Array.from({ length: 7 }, newChat));
    const texts = Array.from({ length: 500 }, (_, at) => `message ${at}`);
    const results = await Promise.all(texts.map((text, at) => lane.append(item(chats[at % 7]!, text))));
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['appended']));
    for (const [at, chat] of chats.entries()) {
      const expected = texts.filter((_, n) => n % 7 === at);
      const events = await stored(chat);
      expect(events.map(({ content }) => content.text)).toEqual(expected);
      expect(events.map(({ number }) => number)).toEqual(expected.map((_, n) => n + 1));
    }
    expect(new Set(results.map((result) => result.outcome === 'appended' && result.event.id)).size).toBe(500);
  });

  it('numbers without gaps when several processes write to one chat', async () => {
    const chatId = await newChat();
    const lanes = [newLane(), newLane(), newLane()];
    await Promise.all(Array.from({ length: 150 }, (_, at) => lanes[at % 3]!.append(item(chatId, `${at % 3}:${at}`))));
    const events = await stored(chatId);
    expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 150 }, (_, at) => at + 1));
    for (const process of [0, 1, 2]) {
      const own = events
        .map(({ content }) => String(content.text).split(':').map(Number))
        .filter(([by]) => by === process);
      expect(own.map(([, at]) => at)).toEqual(own.map(([, at]) => at).toSorted((a, b) => a! - b!));
    }
  });

  it('announces each event once', async () => {
    const chatId = await newChat();
    const heard: unknown[] = [];
    const leave = test.context.ports.bus.subscribe(organizationTopic(organization.id), (text) => heard.push(text));
    await Promise.all(Array.from({ length: 20 }, (_, at) => lane.append(item(chatId, `${at}`))));
    leave();
    expect(heard).toHaveLength(20);
  });

  it('lets one bad item fail alone', async () => {
    const chatId = await newChat();
    const settled = await Promise.allSettled([
      lane.append(item(chatId, 'first')),
      lane.append(item(chatId, 'good')),
      lane.append(item(chatId, 'a NUL \0 that the database refuses')),
      lane.append(item(chatId, 'also good')),
      lane.append(item('NOSUCHCHAT', 'nowhere')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(settled[4]).toMatchObject({ value: { outcome: 'not_found' } });
    expect(await textsOf(chatId)).toEqual(['first', 'good', 'also good']);
  });

  it('keeps the place of a draft that is still loading, and fails only that item if loading fails', async () => {
    const chatId = await newChat();
    const making = Promise.withResolvers<EventDraft>();
    const failing = Promise.withResolvers<EventDraft>();
    failing.reject(new Error('no such file'));
    const settled = Promise.allSettled([
      lane.append(item(chatId, 'first')),
      lane.append({ ...item(chatId, ''), draft: making.promise }),
      lane.append({ ...item(chatId, ''), draft: failing.promise }),
      lane.append(item(chatId, 'last')),
    ]);
    making.resolve(messageDraft('second'));
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await textsOf(chatId)).toEqual(['first', 'second', 'last']);
  });

  it('continues after a failure', async () => {
    const chatId = await newChat();
    await expect(lane.append(item(chatId, '\0'))).rejects.toThrow();
    await lane.append(item(chatId, 'on we go'));
    await lane.drain();
    expect(await textsOf(chatId)).toEqual(['on we go']);
  });

  it('reports the reason for each rejected item', async () => {
    const chatId = await newChat();
    const stranger = await buildCustomer(organization);
    const foreign = await buildOrganization(test);
    const as = (change: Partial<AppendItem>) => lane.append({ ...item(chatId, 'x'), ...change });
    expect(await as({ author: { kind: 'customer', id: stranger.id } })).toEqual({ outcome: 'not_found' });
    expect(await as({ organizationId: foreign.id })).toEqual({ outcome: 'not_found' });
    expect(await as({ author: { kind: 'agent', id: organization.owner.login }, groupIds: [7] })).toEqual({
      outcome: 'not_found',
    });
    await organization.scope.update('chats').where('id', '=', chatId).set({ anonymized: true }).execute();
    expect(await as({})).toEqual({ outcome: 'anonymized' });
  });
});

describe('a repeated custom_id', () => {
  const sameId = (results: unknown[]) =>
    new Set(
      results.map(
        (r) => (r as { event?: { id: string }; eventId?: string }).event?.id ?? (r as { eventId: string }).eventId,
      ),
    ).size;

  it('writes one event within one batch', async () => {
    const chatId = await newChat();
    const results = await Promise.all(Array.from({ length: 10 }, () => lane.append(item(chatId, 'once', 'key'))));
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['appended', ...Array(9).fill('repeated')]);
    expect(sameId(results)).toBe(1);
    expect(await textsOf(chatId)).toEqual(['once']);
  });

  it('writes one event when two processes send it at the same time', async () => {
    const chatId = await newChat();
    const lanes = Array.from({ length: 4 }, () => newLane());
    for (let round = 0; round < 10; round++) {
      const sent = lanes.map((one) => one.append(item(chatId, 'once', `key ${round}`)));
      const beside = lanes.map((one, at) => one.append(item(chatId, 'beside', `${round} ${at}`)));
      expect(sameId(await Promise.all(sent))).toBe(1);
      await Promise.all(beside);
    }
    expect(await stored(chatId)).toHaveLength(50);
  });

  it('answers with the first event even after the chat was closed', async () => {
    const chatId = await newChat();
    const first = await lane.append(item(chatId, 'once', 'key'));
    await deactivateChat(customerScope(organization, customer), { chatId });
    const again = await lane.append(item(chatId, 'once', 'key'));
    expect(again).toMatchObject({ outcome: 'repeated', eventId: first.outcome === 'appended' && first.event.id });
    expect(await lane.append(item(chatId, 'more', 'other'))).toEqual({ outcome: 'inactive' });
  });

  it('is independent between authors and between chats', async () => {
    const [one, other] = [await newChat(), await newChat()];
    const byAgent = { author: { kind: 'agent', id: organization.owner.login } as const };
    const results = await Promise.all([
      lane.append(item(one, 'a', 'key')),
      lane.append(item(other, 'b', 'key')),
      lane.append({ ...item(one, 'c', 'key'), ...byAgent }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['appended', 'appended', 'appended']);
  });
});

describe('the lane and its database', () => {
  it('rejects all items while the database is unavailable', async () => {
    const database = openDatabase({
      connection: { host: '127.0.0.1', port: 1, user: 'nobody', database: 'nowhere' },
      maxConnections: 2,
      statementTimeoutMs: 1000,
      onError: () => {},
    });
    const away = newLane({ database });
    const settled = await Promise.allSettled(['a', 'b', 'c'].map((chatId) => away.append(item(chatId, 'x'))));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await away.drain();
    await database.close();
  });

  it('loses no acknowledged event when connections are cut', async () => {
    const chatId = await newChat();
    const cutter = new pg.Client(test.connection as pg.ClientConfig);
    await cutter.connect();
    const cut = () =>
      cutter.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'parley' and datname = current_database()`);
    const acknowledged: string[] = [];
    for (let round = 0; round < 8; round++) {
      const sent = Array.from({ length: 25 }, async (_, at) => {
        const result = await lane.append(item(chatId, `${round}.${at}`));
        if (result.outcome === 'appended') acknowledged.push(`${round}.${at}`);
      });
      await Promise.all([cut(), Promise.allSettled(sent)]);
    }
    await cutter.end();
    await lane.append(item(chatId, 'after'));
    const texts = await textsOf(chatId);
    expect(texts).toEqual(expect.arrayContaining(acknowledged));
    expect((await stored(chatId)).map(({ number }) => number)).toEqual(texts.map((_, at) => at + 1));
  });

  it('writes the other chats of a lane while one chat stays locked', async () => {
    const [chat, ...others] = [await newChat(), await newChat(), await newChat()];
    const one = newLane({}, 1);
    const holder = new pg.Client(test.connection as pg.ClientConfig);
    await holder.connect();
    await holder.query(`begin; select from chats where id = '${chat}' for update`);
    // The first item is written alone; the others form a batch.
    const sent = [others[0]!, chat!, others[0]!, chat!, others[1]!].map((id, at) => one.append(item(id, `${at}`)));
    const settled = await Promise.allSettled(sent);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const reasons = settled.flatMap((result) =>
      result.status === 'rejected' ? [toDomainError(result.reason).code] : [],
    );
    expect(reasons).toEqual(['timeout', 'timeout']);
    await holder.query('rollback');
    await holder.end();
    await one.append(item(chat!, 'after'));
    expect(await textsOf(chat!)).toEqual(['after']);
    expect(await textsOf(others[0]!)).toEqual(['0', '2']);
  });

  it('does not change the lock timeout of the connection', async () => {
    await lane.append(item(await newChat(), 'x'));
    const { rows } = await test.context.database.query({ text: 'show lock_timeout', values: [] });
    expect(rows).toEqual([{ lock_timeout: '0' }]);
  });
});

describe('a reaction after the commit', () => {
  const failing = () => {
    throw Object.assign(new Error('nobody there'), { code: '40P01' });
  };

  it('may fail without failing or repeating the write', async () => {
    const chatId = await newChat();
    const reactions = { ...test.context.services.reactions, afterCommit: failing };
    const one = newLane({ reactions });
    const warned = once(process, 'warning');
    const results = await Promise.all(['a', 'b', 'c'].map((text) => one.append(item(chatId, text))));
    expect(results.map(({ outcome }) => outcome)).toEqual(['appended', 'appended', 'appended']);
    expect(await textsOf(chatId)).toEqual(['a', 'b', 'c']);
    expect((await warned)[0]).toMatchObject({ message: 'event publishing failed after commit' });
  });
});
