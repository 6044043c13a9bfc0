import { once } from 'node:events';
import { createServer, connect as dial, type Socket } from 'node:net';
import { connect } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasNatsServer, startNatsServer } from '../../testing/app/nats-server.ts';
import type { Bus, Gap } from './bus.ts';
import { connectNatsBus } from './nats.ts';

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 10 });

const cleanups: (() => unknown)[] = [];
beforeEach(() => vi.clearAllMocks());
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const startServer = async (settings?: string) => {
  const server = await startNatsServer(settings);
  cleanups.push(server.remove);
  return server;
};

const openBus = async (url: string) => {
  const bus = await connectNatsBus({ url, log });
  cleanups.push(bus.close);
  return bus;
};

const listenTo = (bus: Bus, topic: string) => {
  const received: unknown[] = [];
  return { received, leave: bus.subscribe(topic, (message) => received.push(message)) };
};

const gapsOf = (bus: Bus) => {
  const gaps: Gap[] = [];
  bus.onGap((gap) => gaps.push(gap));
  return gaps;
};

/** Publishes until a message arrives, so that the subscription is active from then on. */
const expectPath = async (publisher: Bus, topic: string, received: unknown[]) => {
  await eventually(() => {
    publisher.publish(topic, 'path');
    expect(received).toContain('path');
  });
};

/** A proxy to the server that can be cut without affecting other clients. */
const openBypass = async (url: string) => {
  const sockets = new Set<Socket>();
  const target = new URL(url);
  const bypass = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.pipe(far).pipe(near);
  });
  const listen = async (port: number) => {
    bypass.listen(port, '127.0.0.1');
    await once(bypass, 'listening');
  };
  await listen(0);
  const { port } = bypass.address() as { port: number };
  const cut = () => {
    bypass.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  cleanups.push(cut);
  return { url: `nats://127.0.0.1:${port}`, cut, mend: () => listen(port) };
};

describe.skipIf(!hasNatsServer)('the NATS bus', () => {
  it('starts without a server, serves its own process, and connects when the server is available', async () => {
    const server = await startServer();
    await server.stop();
    const start = Date.now();
    const bus = await openBus(server.url);
    const { received } = listenTo(bus, 'topic');
    const gaps = gapsOf(bus);
    expect(bus.connected()).toBe(false);
    bus.publish('topic', 'local');
    await eventually(() => expect(received).toEqual(['local']));
    expect(bus.dropped()).toBe(1);
    expect(log.warn).toHaveBeenCalled();

    await server.restart();
    await eventually(() => expect(gaps).toHaveLength(1));
    expect(bus.connected()).toBe(true);
    expect(gaps[0]!.since.getTime()).toBeGreaterThanOrEqual(start);
    const other = await openBus(server.url);
    await expectPath(other, 'topic', received);
  });

  it('survives an outage, reports the gap and restores its subscriptions', async () => {
    const server = await startServer();
    const [here, there] = [await openBus(server.url), await openBus(server.url)];
    const stays = listenTo(here, 'stays');
    const leaves = listenTo(here, 'leaves');
    await expectPath(there, 'stays', stays.received);
    const gaps = gapsOf(here);

    await server.stop();
    const lost = Date.now();
    await eventually(() => expect([here.connected(), there.connected()]).toEqual([false, false]));
    leaves.leave();
    const comes = listenTo(here, 'comes');
    there.publish('stays', 'never arrives');
    here.publish('comes', 'local');
    await eventually(() => expect(comes.received).toEqual(['local']));
    expect([here.dropped(), there.dropped()]).toEqual([1, 1]);

    await server.restart();
    await eventually(() => expect(gaps.length).toBeGreaterThan(0));
    expect(gaps[0]!.since.getTime()).toBeLessThanOrEqual(lost);
    await eventually(() => expect(there.connected()).toBe(true));
    there.publish('leaves', 'to nobody');
    await expectPath(there, 'comes', comes.received);
    await expectPath(there, 'stays', stays.received);
    expect(stays.received).not.toContain('never arrives');
    expect(leaves.received).toEqual([]);
  });

  it('notifies other processes of its own outage', async () => {
    const server = await startServer();
    const bypass = await openBypass(server.url);
    const [cutOff, whole] = [await openBus(bypass.url), await openBus(server.url)];
    const { received } = listenTo(whole, 'topic');
    await expectPath(cutOff, 'topic', received);
    const gaps = gapsOf(whole);

    bypass.cut();
    const lost = Date.now();
    await eventually(() => expect(cutOff.connected()).toBe(false));
    cutOff.publish('topic', 'unheard');
    expect(whole.connected()).toBe(true);
    await bypass.mend();
    await eventually(() => expect(gaps).toHaveLength(1));
    expect(gaps[0]!.since.getTime()).toBeLessThanOrEqual(lost);
    expect(received).not.toContain('unheard');
  });

  it('isolates gap listeners from each other’s exceptions', async () => {
    const server = await startServer();
    const bus = await openBus(server.url);
    bus.onGap(() => {
      throw new Error('gap listener failed');
    });
    const gaps = gapsOf(bus);
    await server.restart();
    await eventually(() => expect(gaps).toHaveLength(1));
  });

  it('drops messages beyond the buffer limit while the server hangs, and reports it afterwards', async () => {
    const server = await startServer();
    const [here, there] = [await openBus(server.url), await openBus(server.url)];
    const { received } = listenTo(there, 'topic');
    await expectPath(here, 'topic', received);
    const gaps = gapsOf(there);

    server.pause();
    const large = 'x'.repeat(900_000);
    for (let count = 0; count < 40; count++) here.publish('flood', large);
    expect(here.dropped()).toBeGreaterThan(10);
    server.resume();
    await eventually(() => expect(gaps.length).toBeGreaterThan(0));
    const dropped = here.dropped();
    here.publish('topic', 'afterwards');
    await eventually(() => expect(received).toContain('afterwards'));
    expect(here.dropped()).toBe(dropped);
  });

  it('delivers a message that is too large for the server only locally and stays connected', async () => {
    const server = await startServer('max_payload: 1024');
    const [here, there] = [await openBus(server.url), await openBus(server.url)];
    const near = listenTo(here, 'topic');
    const far = listenTo(there, 'topic');
    await expectPath(here, 'topic', far.received);
    const large = 'ž'.repeat(600);
    here.publish('topic', large);
    here.publish('topic', 'small');
    await eventually(() => expect(far.received).toContain('small'));
    expect(near.received).toContain(large);
    expect(far.received).not.toContain(large);
    expect(here.dropped()).toBe(1);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(here.connected()).toBe(true);
  });

  it('ignores messages in other formats', async () => {
    const server = await startServer();
    const bus = await openBus(server.url);
    const stranger = await connect({ servers: server.url });
    cleanups.push(() => stranger.close());
    const { received } = listenTo(bus, 'topic');
    const gaps = gapsOf(bus);
    await eventually(() => {
      stranger.publish('parley.topic', '"good"');
      expect(received).toContain('good');
    });
    for (const notice of ['', '{', 'null', '[]', '{"age":"x"}']) stranger.publish('parley.%gap', notice);
    stranger.publish('parley.topic', '{"cut');
    stranger.publish('parley.topic', '');
    stranger.publish('parley.topic', '"last"');
    await eventually(() => expect(received).toContain('last'));
    expect(new Set(received)).toEqual(new Set(['good', 'last']));
    expect(gaps).toEqual([]);
    expect(log.warn).toHaveBeenCalledTimes(4);
  });

  it('subscribes at the server only to topics with listeners', async () => {
    const server = await startServer();
    const bus = await openBus(server.url);
    const asker = await connect({ servers: server.url });
    cleanups.push(() => asker.close());
    const first = listenTo(bus, 'topic');
    const second = listenTo(bus, 'topic');
    first.leave();
    await eventually(() => {
      asker.publish('parley.topic', '1');
      expect(second.received).toContain(1);
    });
    second.leave();
    // There is no answer if the server does not know yet that the last listener has left.
    const ask = () => asker.request('parley.topic', '', { timeout: 100 });
    await eventually(() => expect(ask()).rejects.toThrow(/no responders/));
  });

  it('signs in with the credentials of the URL and never logs them', async () => {
    const server = await startServer('authorization { user: parley, password: "s3cret/@" }');
    const signedIn = await openBus(server.url.replace('//', '//parley:s3cret%2F%40@'));
    const refused = await openBus(server.url.replace('//', '//parley:wrong-one@'));
    expect([signedIn.connected(), refused.connected()]).toEqual([true, false]);
    const reasons = log.warn.mock.calls.map(([details]) => String(details.err));
    expect(reasons.join()).toMatch(/authorization/i);
    expect(JSON.stringify(log.warn.mock.calls) + reasons.join()).not.toMatch(/s3cret|wrong-one/);
  });

  it('closes while the server is unavailable', async () => {
    const server = await startServer();
    const lost = await openBus(server.url);
    await server.stop();
    const never = await openBus(server.url);
    await eventually(() => expect(lost.connected()).toBe(false));
    await Promise.all([lost.close(), never.close()]);
    lost.publish('topic', 1);
    expect([lost.connected(), never.connected()]).toEqual([false, false]);
  });

  it('rejects an invalid URL', async () => {
    await expect(connectNatsBus({ url: 'http://localhost', log })).rejects.toThrow(/nats:\/\//);
    await expect(connectNatsBus({ url: '', log })).rejects.toThrow(/nats:\/\//);
    await expect(connectNatsBus({ url: 'nats://localhost', log, prefix: 'a.>' })).rejects.toThrow(/prefix/);
  });
});
