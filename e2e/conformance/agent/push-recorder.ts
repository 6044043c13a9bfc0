import type { Json } from '../customer/call.ts';
import type { Agent } from './agent-client.ts';
import type { Socket } from './socket.ts';

const isPush = (frame: Json): boolean => frame.type === 'push';

/**
 * Collects exactly the pushes each socket receives while something happens. A multicast that all sockets receive marks
 * the end, because later pushes of the organization cannot overtake it.
 */
export const createPushRecorder = <N extends string>(
  owner: Agent,
  sockets: Record<N, Socket>,
  customerIds: string[],
) => {
  const names = Object.keys(sockets) as N[];
  const isMarker = (payload: Json, mark?: string): boolean =>
    payload.type === 'mark' && (mark === undefined || payload.content.mark === mark);

  const wait = async (): Promise<void> => {
    const mark = crypto.randomUUID();
    const recipients = { agents: { all: true }, customers: { ids: customerIds } };
    await owner.ok('multicast', { recipients, content: { mark }, type: 'mark' });
    await Promise.all(
      names.map((name) => sockets[name].push('incoming_multicast', (payload) => isMarker(payload, mark))),
    );
  };

  const recordPushes = async (trigger: () => Promise<unknown>): Promise<Record<N, Json[]>> => {
    await wait();
    const from = new Map(names.map((name) => [name, sockets[name].frames.length]));
    await trigger();
    await wait();
    const received = (name: N): Json[] =>
      sockets[name].frames.slice(from.get(name)).filter((frame) => isPush(frame) && !isMarker(frame.payload));
    return Object.fromEntries(names.map((name) => [name, received(name)])) as Record<N, Json[]>;
  };

  return {
    recordPushes,
    close: () => {
      for (const name of names) sockets[name].close();
    },
  };
};

/** Names of pushes by recipient; recipients without pushes are left out. */
export const actionsOf = (received: Record<string, Json[]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(received)
      .filter(([, pushes]) => pushes.length > 0)
      .map(([name, pushes]) => [name, pushes.map(({ action }) => action)]),
  );
