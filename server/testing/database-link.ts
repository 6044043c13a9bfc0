import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import type { PoolConfig } from 'pg';

export interface DatabaseLink {
  /** Reaches the same database through the link. */
  connection: PoolConfig;
  /** The database is away: what is open breaks, and nothing new gets through. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

const reach = ({ host, port }: PoolConfig): Socket =>
  host?.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port!, host!);

/** Stands between a server and its database, so that a test can part them. */
export const linkDatabase = async (connection: PoolConfig): Promise<DatabaseLink> => {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = reach(connection);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    connection: { ...connection, host: '127.0.0.1', port },
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
