import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import type { PoolConfig } from 'pg';

export interface DatabaseLink {
  /** The same database, reached through the link. */
  connection: PoolConfig;
  /** From here on the database is away. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** A wire to the database that a test can cut. */
export const openDatabaseLink = async (target: PoolConfig): Promise<DatabaseLink> => {
  const { host = 'localhost', port = 5432 } = target;
  const address = host.startsWith('/') ? { path: path.join(host, `.s.PGSQL.${port}`) } : { host, port };
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(address);
    keep(near);
    keep(far);
    near.pipe(far).pipe(near);
  });
  const listen = (at: number): Promise<void> => new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const { port: ours } = server.address() as { port: number };
  return {
    connection: { ...target, host: '127.0.0.1', port: ours },
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
    mend: () => listen(ours),
  };
};
