import type { Push } from '#contracts/chat/frames.ts';
import type { DomainEvent } from '#server/domain/events.ts';
import { writePush } from './frames.ts';
import { pushFrame, type Session } from './session.ts';

/**
 * Sends a push to all sessions that may see it and subscribed to it, and returns their number. The frame is serialized
 * once, when the first session needs it; the socket whose request caused the event gets its own frame with the request
 * id.
 */
export const pushToAll = <S extends Session>(
  sessions: Iterable<S>,
  { type, cause }: DomainEvent,
  present: () => Push,
  canSee: (session: S) => boolean = () => true,
): number => {
  let push: Push | undefined;
  let shared: Buffer | undefined;
  let sent = 0;
  for (const session of sessions) {
    if (!canSee(session)) continue;
    push ??= present();
    if (session.subscription && !session.subscription.has(push.action)) continue;
    const requestId = cause?.connectionId === session.id ? cause.requestId : undefined;
    if (type === 'event_repeated' && requestId === undefined) continue;
    if (requestId === undefined) shared ??= writePush(push);
    const frame = requestId === undefined ? shared! : writePush(push, requestId);
    if (pushFrame(session, frame, requestId)) sent++;
  }
  return sent;
};
