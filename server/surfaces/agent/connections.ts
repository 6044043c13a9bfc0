import type { Context } from '#server/context.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import {
  type AgentConnection,
  connectAgent,
  disconnectAgent,
  extendConnections,
  setAway,
} from '#server/domain/support/agents/presence/connections.ts';
import { signOut, wasSignedOut } from '#server/domain/support/agents/sign-in/sign-out.ts';
import { createLimiter } from '#server/realtime/create-limiter.ts';
import { disconnect } from '#server/realtime/session.ts';
import type { AgentIdentity, AgentSession } from './socket-registry.ts';

interface Connection {
  organizationId: string;
  connectionId: string;
  session: AgentSession;
  openedAt: Date;
  arrival: AgentConnection;
  /** The last pending write. */
  lastWrite: Promise<unknown>;
}

/** A sweep runs every five seconds. */
const SWEEPS_PER_KEEP_ALIVE = 2;
const MAX_CONCURRENT_WRITES = 4;

/** Records the sockets of this process's agents in the database. */
export const openConnections = ({ clock, database, log, services }: Context) => {
  const open = new Map<string, Connection>();
  const limit = createLimiter(MAX_CONCURRENT_WRITES);
  let sweeps = 0;
  let isKeepingAlive = false;
  let missedKeepAlive = false;
  let stopping = false;

  const scopeOf = ({ actor, organizationId }: AgentIdentity): OrganizationScope =>
    openOrganizationScope(services, actor, organizationId);
  const warn = (error: unknown): void => log.warn({ err: error }, 'agent connections could not be saved');

  /** Writes about one socket run in order. */
  const write = <R>(connection: Connection, work: () => Promise<R>): Promise<R> => {
    const done = connection.lastWrite.then(work);
    connection.lastWrite = done.catch(() => undefined);
    return done;
  };

  /**
   * The database no longer knows this socket: its keep-alive was late, or it was ended by a message that did not
   * arrive.
   */
  const reregister = async (connection: Connection): Promise<void> => {
    const { session, openedAt, arrival } = connection;
    if (!session.identity || open.get(session.id) !== connection) return;
    const scope = scopeOf(session.identity);
    if (await wasSignedOut(scope, { since: openedAt })) disconnect(session, 'logged_out_remotely');
    else await write(connection, () => connectAgent(scope, { ...arrival, reconnect: true }));
  };

  const keepAlive = async (): Promise<void> => {
    const connections = [...open.values()];
    try {
      const lost = await extendConnections(database, connections, clock.now());
      missedKeepAlive = false;
      await Promise.all(lost.map((one) => limit(() => reregister(one)).catch(warn)));
    } catch (error) {
      missedKeepAlive = true;
      warn(error);
    }
  };

  return {
    /** Runs before the response to the login. */
    arrive: async (session: AgentSession, arrival: Omit<AgentConnection, 'connectionId'>): Promise<void> => {
      const { id: connectionId, identity } = session;
      const { organizationId } = identity!;
      const connection: Connection = {
        ...{ organizationId, connectionId, session, openedAt: clock.now() },
        ...{ arrival: { ...arrival, connectionId }, lastWrite: Promise.resolve() },
      };
      await write(connection, () => connectAgent(scopeOf(identity!), connection.arrival));
      // The socket may have been closed meanwhile.
      if (session.socket.readyState === session.socket.OPEN) open.set(connectionId, connection);
      else await disconnectAgent(scopeOf(identity!), { connectionId });
    },
    setAway: async ({ id: connectionId }: AgentSession, scope: OrganizationScope, away: boolean): Promise<void> => {
      const connection = open.get(connectionId);
      if (!connection) return;
      connection.arrival.away = away;
      await write(connection, () => setAway(scope, { connectionId, away }));
    },
    signOut: async ({ id: connectionId }: AgentSession, scope: OrganizationScope): Promise<void> => {
      const connection = open.get(connectionId);
      open.delete(connectionId);
      if (connection) await write(connection, () => signOut(scope, { connectionId }));
    },
    leave: ({ id: connectionId, identity }: AgentSession): void => {
      const connection = open.get(connectionId);
      open.delete(connectionId);
      // When this process stops, agents reconnect to another one or after the restart.
      if (!connection || !identity || stopping) return;
      void limit(() => write(connection, () => disconnectAgent(scopeOf(identity), { connectionId }))).catch(warn);
    },
    sweep: (): void => {
      const isDue = ++sweeps % SWEEPS_PER_KEEP_ALIVE === 0 || missedKeepAlive;
      if (!isDue || isKeepingAlive || open.size === 0) return;
      isKeepingAlive = true;
      void keepAlive().finally(() => {
        isKeepingAlive = false;
      });
    },
    stop: (): void => {
      stopping = true;
    },
  };
};

export type Connections = ReturnType<typeof openConnections>;
