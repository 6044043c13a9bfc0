import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { testingCertificate } from './certificate.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

export const cleanUp = (action: () => unknown) => {
  cleanups.push(action);
};

const open = async (server: Server, host: string): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, host);
  await once(server, 'listening');
  cleanUp(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** Starts an HTTP server on a loopback port until the test ends. */
export const startReceiver = (listener: RequestListener, host = '127.0.0.1'): Promise<number> =>
  open(createServer(listener), host);

export const startTlsReceiver = (listener: RequestListener): Promise<number> => {
  const server = createTlsServer(testingCertificate, listener);
  server.on('tlsClientError', () => {});
  return open(server, '127.0.0.1');
};

/** Starts a TCP server, for responses that are not valid HTTP. */
export const startRawReceiver = (onSocket: (socket: Socket) => void): Promise<number> =>
  open(createSocketServer(onSocket), '127.0.0.1');
