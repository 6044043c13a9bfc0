import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { disconnect, pushFrame, readSubscription, releaseHeldPushes, type Session } from './session.ts';

/** A session whose socket records what is sent. */
const openSession = (more: Partial<Session> = {}) => {
  const sent: string[] = [];
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (frame: Buffer) => sent.push(frame.toString()),
    close: (code: number) => sent.push(String(code)),
    terminate: () => sent.push('cut'),
  };
  const session: Session = {
    id: 'a socket',
    socket: socket as unknown as WebSocket,
    organizationId: undefined,
    ip: '127.0.0.1',
    browser: {},
    cookie: undefined,
    disconnectPush: 'customer_disconnected',
    identity: undefined,
    subscription: undefined,
    loginSweeps: 0,
    silentSweeps: 0,
    frames: 0,
    pending: 0,
    lastRequest: undefined,
    unanswered: undefined,
    isLoggingIn: false,
    heldPushes: undefined,
    ...more,
  };
  const push = (text: string, requestId?: string | number) => pushFrame(session, Buffer.from(text), requestId);
  return { session, socket, sent, push };
};

describe('pushes', () => {
  it('are sent immediately when no answer is pending', () => {
    const { session, sent, push } = openSession();
    push('one');
    push('two', 'answered before');
    expect(sent).toEqual(['one', 'two']);
    expect(session.heldPushes).toBeUndefined();
  });

  it('are held until the request that caused them is answered, in order', () => {
    const { session, sent, push } = openSession({ unanswered: new Set(['a', 2]) });
    push('before');
    push('by a', 'a');
    push('by nobody');
    push('by 2', 2);
    push('after');
    expect(sent).toEqual(['before']);
    session.unanswered!.delete('a');
    releaseHeldPushes(session);
    expect(sent).toEqual(['before', 'by a', 'by nobody']);
    push('last');
    session.unanswered = undefined;
    releaseHeldPushes(session);
    expect(sent).toEqual(['before', 'by a', 'by nobody', 'by 2', 'after', 'last']);
    expect(session.heldPushes).toBeUndefined();
  });

  it('are held until the login is answered', () => {
    const { session, sent, push } = openSession({ isLoggingIn: true });
    push('one');
    releaseHeldPushes(session);
    expect(sent).toEqual([]);
    session.isLoggingIn = false;
    releaseHeldPushes(session);
    expect(sent).toEqual(['one']);
  });

  it('terminate a socket with too much unread data', () => {
    const { socket, sent, push } = openSession();
    socket.bufferedAmount = 1024 * 1024 + 1;
    expect(push('one')).toBe(false);
    expect(sent).toEqual(['cut']);
  });

  it('terminate a socket with too many held pushes', () => {
    const { session, socket, sent, push } = openSession({ isLoggingIn: true });
    const half = 'x'.repeat(512 * 1024);
    expect([push(half), push(half)]).toEqual([true, true]);
    expect(push('more')).toBe(false);
    expect([sent, session.heldPushes]).toEqual([['cut'], undefined]);
    socket.readyState = 3;
    expect(push('after')).toBe(false);
    expect(session.heldPushes).toBeUndefined();
  });

  it('free space when they are sent', () => {
    const { session, sent, push } = openSession({ unanswered: new Set(['a', 'b']) });
    const half = 'x'.repeat(512 * 1024);
    push(half, 'a');
    push(half, 'b');
    session.unanswered!.delete('a');
    releaseHeldPushes(session);
    expect(push(half)).toBe(true);
    session.unanswered = undefined;
    releaseHeldPushes(session);
    expect(sent).toEqual([half, half, half]);
  });
});

it('a socket is closed after a push with the reason', () => {
  const { session, sent } = openSession({ isLoggingIn: true });
  disconnect(session, 'service_temporarily_unavailable');
  expect(JSON.parse(sent[0]!)).toEqual({
    version: '3.5',
    action: 'customer_disconnected',
    type: 'push',
    payload: { reason: 'service_temporarily_unavailable' },
  });
  expect(sent.slice(1)).toEqual(['1001']);
});

it.each([
  [undefined, undefined],
  [null, undefined],
  [{}, new Set()],
  [{ '3.5': ['incoming_event', 'no_such_push'] }, new Set(['incoming_event', 'no_such_push'])],
  [{ '3.4': ['incoming_event'] }, new Set()],
  [{ '3.5': null }, new Set()],
])('a login with the push selection %j subscribes to %s', (pushes, subscription) => {
  expect(readSubscription(pushes)).toEqual(subscription);
});
