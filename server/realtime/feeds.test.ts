import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DomainEvent, organizationTopic, writeEvent } from '#server/domain/events.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { startChat } from '#server/domain/support/chats/lifecycle/start-chat.ts';
import type { EventDraft } from '#server/domain/support/chats/records.ts';
import type { Bus, Gap } from '#server/ports/bus/bus.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { createFeeds } from './feeds.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: OrganizationScope;

beforeEach(async () => {
  organization = await buildOrganization(test);
  const { id } = await buildCustomer(organization);
  customer = openOrganizationScope(test.context.services, { kind: 'customer', id }, organization.id);
});

/** The bus of the app behind a link that can be cut and can repeat messages. */
const openLink = () => {
  const link = { up: true, repeats: 1 };
  const gapListeners: ((gap: Gap) => void)[] = [];
  const bus: Bus = {
    ...test.context.ports.bus,
    subscribe: (topic, listener) =>
      test.context.ports.bus.subscribe(topic, (message) => {
        for (let time = 0; link.up && time < link.repeats; time++) listener(message);
      }),
    onGap: (listener) => {
      gapListeners.push(listener);
      return () => {};
    },
  };
  return Object.assign(link, {
    bus,
    reportGap: (since = test.clock.now()) => {
      for (const listener of gapListeners) listener({ since });
    },
  });
};

const words = (event: DomainEvent): string => {
  if (event.type === 'event_sent') return event.event.content.type === 'message' ? event.event.content.text : 'closing';
  return event.type === 'chat_started' ? `started with ${event.chat.thread!.events.length}` : event.type;
};

/** A database that fails while it is down. The feed pauses until the test continues. */
const openServices = () => {
  const { services } = test.context;
  const state = { down: false, begun: 0 };
  const failed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  return Object.assign(state, {
    failed: failed.promise,
    goOn: goOn.resolve,
    pause: () => {
      failed.resolve();
      return goOn.promise;
    },
    services: {
      ...services,
      clock: {
        now: () => {
          state.begun++;
          return services.clock.now();
        },
      },
      get db() {
        if (state.down) throw new Error('no database');
        return services.db;
      },
    },
  });
};

/** Follows the organization and records the delivered events as texts. */
const follow = (link: ReturnType<typeof openLink>, { services, pause } = openServices()) => {
  const delivered: string[] = [];
  let check = (): void => {};
  const feeds = createFeeds({ bus: link.bus, services, log: pino({ level: 'silent' }), pause });
  const leave = feeds.follow(organization.id, (event) => {
    delivered.push(words(event));
    check();
  });
  return {
    delivered,
    leave,
    until: (count: number) =>
      new Promise<string[]>((resolve) => {
        check = () => delivered.length >= count && resolve(delivered);
        check();
      }),
  };
};

const draft = (text: string): EventDraft => ({ content: { type: 'message', text }, visibility: 'all', properties: {} });
const start = (...texts: string[]) =>
  startChat(customer, { events: texts.map(draft), active: true, continuous: true }).then(({ chatId }) => chatId);
const say = (chatId: string, text: string) =>
  sendEvent(customer, { chatId, event: draft(text), attachToLastThread: false });

describe('a feed', () => {
  it('delivers each event once, even if it arrives twice', async () => {
    const link = openLink();
    link.repeats = 2;
    const feed = follow(link);
    const chatId = await start('one');
    await say(chatId, 'two');
    await deactivateChat(customer, { chatId });
    expect(await feed.until(4)).toEqual(['started with 1', 'two', 'closing', 'chat_deactivated']);
  });

  it('delivers events missed in a gap before new ones', async () => {
    const link = openLink();
    const feed = follow(link);
    const chatId = await start('one');
    link.up = false;
    const since = test.clock.now();
    test.clock.advance(60_000);
    await say(chatId, 'two');
    await say(chatId, 'three');
    link.up = true;
    link.reportGap(since);
    link.reportGap(since);
    await say(chatId, 'four');
    expect(await feed.until(4)).toEqual(['started with 1', 'two', 'three', 'four']);
    link.reportGap(since);
    await say(chatId, 'five');
    expect((await feed.until(5)).slice(4)).toEqual(['five']);
  });

  it('delivers chats that started and ended in a gap', async () => {
    const link = openLink();
    const feed = follow(link);
    link.up = false;
    const chatId = await start('one');
    await say(chatId, 'two');
    await deactivateChat(customer, { chatId });
    link.up = true;
    link.reportGap();
    expect(await feed.until(2)).toEqual(['started with 3', 'chat_deactivated']);
  });

  it('detects missing events by their numbers', async () => {
    const link = openLink();
    const feed = follow(link);
    const chatId = await start('one');
    link.up = false;
    await say(chatId, 'two');
    await say(chatId, 'three');
    link.up = true;
    await say(chatId, 'four');
    expect(await feed.until(4)).toEqual(['started with 1', 'two', 'three', 'four']);
  });

  it('omits events from long before the gap', async () => {
    const chatId = await start('old');
    test.clock.advance(3600_000);
    const link = openLink();
    const feed = follow(link);
    link.up = false;
    await say(chatId, 'new');
    link.up = true;
    link.reportGap();
    expect(await feed.until(1)).toEqual(['new']);
  });

  it('delivers nothing to listeners who left', async () => {
    const link = openLink();
    const [leaving, staying] = [follow(link), follow(link)];
    leaving.leave();
    await start();
    expect(await staying.until(1)).toEqual(['started with 0']);
    expect(leaving.delivered).toEqual([]);
  });

  it('retries a failed read before delivering anything else', async () => {
    const link = openLink();
    const database = openServices();
    const feed = follow(link, database);
    const chatId = await start('one');
    link.up = false;
    await say(chatId, 'two');
    link.up = true;
    database.down = true;
    await say(chatId, 'three');
    await database.failed;
    await say(chatId, 'four');
    expect(feed.delivered).toEqual(['started with 1']);
    database.down = false;
    database.goOn();
    expect(await feed.until(4)).toEqual(['started with 1', 'two', 'three', 'four']);
  });

  it('continues when the chat of a missing event is gone', async () => {
    const link = openLink();
    const feed = follow(link);
    const { chatId, threadId } = await startChat(customer, { events: [], active: true, continuous: true });
    const gone = crypto.randomUUID();
    const about = { organizationId: organization.id, chatId: gone, threadId, customerId: gone, groupIds: [0] };
    const event = {
      ...draft('from nowhere'),
      id: `${threadId}_9`,
      chatId: gone,
      threadId,
      number: 9,
      author: { kind: 'customer' as const, id: gone },
      createdAt: test.clock.now(),
    };
    test.context.ports.bus.publish(
      organizationTopic(organization.id),
      writeEvent({ type: 'event_sent', ...about, event }),
    );
    await say(chatId, 'on we go');
    expect(await feed.until(2)).toEqual(['started with 0', 'from nowhere']);
  });

  it('stops retrying when there are no listeners left', async () => {
    const link = openLink();
    const database = openServices();
    const feed = follow(link, database);
    database.down = true;
    link.reportGap();
    await database.failed;
    feed.leave();
    const { begun } = database;
    database.goOn();
    await setImmediate();
    expect(database.begun).toBe(begun);
  });
});
