import { createConnection } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { connectSocket } from '#server/testing/http/connect-socket.ts';
import { MAX_WAITING_PER_NETWORK } from './waiting-sockets.ts';

const DEAD_SWEEPS = 10;

const test = useTestApp();
let address: string;
let organization: TestOrganization;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  address = test.app.listeningOrigin;
  organization = await buildOrganization(test);
});

const connect = (options = {}) => connectSocket(`${address}/v3.5/agent/rtm/ws`, options);

describe('a connection', () => {
  it('is terminated when it sends too many frames', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    await limited.app.listen({ port: 0, host: '127.0.0.1' });
    const client = await connectSocket(`${limited.app.listeningOrigin}/v3.5/agent/rtm/ws`);
    for (let frame = 0; frame < 1001; frame++) client.socket.send('{"action":"ping"}');
    expect(await client.closed).toBe(1006);
  });

  it('handles no more requests after a disconnect was sent', async () => {
    const customer = await buildCustomer(organization);
    const { chatId } = await buildChat(organization, customer);
    const logIn = async () => {
      const client = await connect();
      await client.request('login', { token: organization.owner.basic });
      return client;
    };
    const message = (text: string) => ({ chat_id: chatId, event: { type: 'message', text } });
    const leaving = await logIn();
    leaving.socket.send(Buffer.from('not text'));
    leaving.socket.send(JSON.stringify({ action: 'send_event', payload: message('too late') }));
    expect(await leaving.closed).toBe(1003);
    const client = await logIn();
    await client.request('send_event', message('in time'));
    const { payload } = await client.request('get_chat', { chat_id: chatId });
    expect(payload.thread.events.map(({ text }: { text: string }) => text)).toEqual(['in time']);
    await client.close();
  });

  it('is terminated when pings stay unanswered', async () => {
    const client = await connect({ autoPong: false });
    await client.request('login', { token: organization.owner.basic });
    for (let sweep = 0; sweep < DEAD_SWEEPS; sweep++) test.app.sockets.sweep();
    expect(await client.closed).toBe(1006);
  });

  it('is rejected while too many sockets of its address have not logged in', async () => {
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    await limited.app.listen({ port: 0, host: '127.0.0.1' });
    const url = `${limited.app.listeningOrigin}/v3.5/agent/rtm/ws`;
    const clients = [];
    for (let count = 0; count < MAX_WAITING_PER_NETWORK; count++) clients.push(await connectSocket(url));
    await expect(connectSocket(url)).rejects.toThrow('429');
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `GET /v3.5/agent/rtm/ws HTTP/1.1\r\nHost: parley.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    );
    const refused = await readAll(socket);
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused).toMatch(/\r\nRetry-After: 5\r\n/);
    expect(refused).toContain('too_many_requests');
    await clients[0]!.request('login', { token: organization.owner.basic });
    const next = await connectSocket(url);
    await next.close();
    for (const client of clients) await client.close();
  });

  it('is rejected at unknown paths', async () => {
    await expect(connectSocket(`${address}/v3.5/agent/rtm/other`)).rejects.toThrow('404');
    await expect(connectSocket(`${address}/v3.4/agent/rtm/ws`)).rejects.toThrow('404');
    const byHeader = await connectSocket(`${address}/agent/rtm/ws`, { headers: { 'x-api-version': '3.5' } });
    await byHeader.close();
  });

  it('leaves upgrade requests for other protocols to HTTP', async () => {
    const { port } = new URL(address);
    const socket = createConnection(Number(port), '127.0.0.1');
    socket.end('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it('is counted in metrics', async () => {
    const client = await connect();
    await client.request('login', { token: organization.owner.basic });
    expect(await test.context.metrics.registry.metrics()).toMatch(/parley_sockets\{surface="agent"\} [1-9]/);
    await client.close();
  });
});

it('sends a disconnect push when the server shuts down', async () => {
  await using leaving = await startTestApp({ beside: test });
  await leaving.app.listen({ port: 0, host: '127.0.0.1' });
  const url = `${leaving.app.listeningOrigin}/v3.5/agent/rtm/ws`;
  const client = await connectSocket(url);
  await client.request('login', { token: organization.owner.basic });
  leaving.context.stopping = true;
  await expect(connectSocket(url)).rejects.toThrow('503');
  await leaving.app.close();
  expect(await client.closed).toBe(1001);
});
