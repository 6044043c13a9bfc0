import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { dismiss, pushFrame, readWants, releaseHeld, type Session } from './session.ts';

/** A session whose socket only remembers what it was given. */
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
    farewell: 'customer_disconnected',
    identity: undefined,
    wants: undefined,
    age: 0,
    quiet: 0,
    frames: 0,
    pending: 0,
    turn: undefined,
    unanswered: undefined,
    welcoming: false,
    held: undefined,
    ...more,
  };
  const push = (text: string, requestId?: string | number) => pushFrame(session, Buffer.from(text), requestId);
  return { session, socket, sent, push };
};

describe('pushes', () => {
  it('go out at once when nobody is owed an answer', () => {
    const { session, sent, push } = openSession();
    push('one');
    push('two', 'answered before');
    expect(sent).toEqual(['one', 'two']);
    expect(session.held).toBeUndefined();
  });

  it('wait for the answer to the request that brought them about, and those behind them wait too', () => {
    const { session, sent, push } = openSession({ unanswered: new Set(['a', 2]) });
    push('before');
    push('by a', 'a');
    push('by nobody');
    push('by 2', 2);
    push('after');
    expect(sent).toEqual(['before']);
    session.unanswered!.delete('a');
    releaseHeld(session);
    expect(sent).toEqual(['before', 'by a', 'by nobody']);
    push('last');
    session.unanswered = undefined;
    releaseHeld(session);
    expect(sent).toEqual(['before', 'by a', 'by nobody', 'by 2', 'after', 'last']);
    expect(session.held).toBeUndefined();
  });

  it('wait for the answer to the login, whatever else is answered meanwhile', () => {
    const { session, sent, push } = openSession({ welcoming: true });
    push('one');
    releaseHeld(session);
    expect(sent).toEqual([]);
    session.welcoming = false;
    releaseHeld(session);
    expect(sent).toEqual(['one']);
  });

  it('end with the socket of a reader who leaves too much unread', () => {
    const { socket, sent, push } = openSession();
    socket.bufferedAmount = 1024 * 1024 + 1;
    expect(push('one')).toBe(false);
    expect(sent).toEqual(['cut']);
  });

  it('end with the socket of a reader for whom too much must wait', () => {
    const { session, socket, sent, push } = openSession({ welcoming: true });
    const half = 'x'.repeat(512 * 1024);
    expect([push(half), push(half)]).toEqual([true, true]);
    expect(push('more')).toBe(false);
    expect([sent, session.held]).toEqual([['cut'], undefined]);
    socket.readyState = 3;
    expect(push('after')).toBe(false);
    expect(session.held).toBeUndefined();
  });

  it('make room as they go out', () => {
    const { session, sent, push } = openSession({ unanswered: new Set(['a', 'b']) });
    const half = 'x'.repeat(512 * 1024);
    push(half, 'a');
    push(half, 'b');
    session.unanswered!.delete('a');
    releaseHeld(session);
    expect(push(half)).toBe(true);
    session.unanswered = undefined;
    releaseHeld(session);
    expect(sent).toEqual([half, half, half]);
  });
});

it('a socket is closed with the reason said before', () => {
  const { session, sent } = openSession({ welcoming: true });
  dismiss(session, 'service_temporarily_unavailable');
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
])('a login that asks for %j wants %s', (subscription, wants) => {
  expect(readWants(subscription)).toEqual(wants);
});
