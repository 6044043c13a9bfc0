import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import type { PoolConfig } from 'pg';

export interface DatabaseProxy {
  /** Connects to the database through the proxy. */
  connection: PoolConfig;
  /** Closes all connections and refuses new ones until `reconnect`. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  /** Forwards nothing while connections stay open, like a database that hangs. */
  freeze(): void;
  unfreeze(): void;
}

/** A TCP proxy to the database that a test can disconnect or freeze. */
export const startDatabaseProxy = async (target: PoolConfig): Promise<DatabaseProxy> => {
  const { host = 'localhost', port = 5432 } = target;
  const address = host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port };
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(address);
    track(client);
    track(upstream);
    client.on('data', (chunk) => upstream.write(chunk)).on('end', () => upstream.end());
    upstream.on('data', (chunk) => client.write(chunk)).on('end', () => client.end());
    if (isFrozen) for (const socket of [client, upstream]) socket.pause();
  });
  const listen = (listenPort: number): Promise<void> =>
    new Promise((resolve) => server.listen(listenPort, '127.0.0.1', resolve));
  await listen(0);
  const { port: proxyPort } = server.address() as { port: number };
  return {
    connection: { ...target, host: '127.0.0.1', port: proxyPort },
    disconnect: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    reconnect: () => listen(proxyPort),
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    unfreeze: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
};
