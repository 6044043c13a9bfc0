import type { Push } from '#contracts/chat/frames.ts';
import type { DomainEvent } from '#server/domain/events.ts';
import { writePush } from './frames.ts';
import { pushFrame, type Session } from './session.ts';

/**
 * Tells those who want to hear of it, and says how many. The frame is written once, and only when somebody gets it; the
 * socket whose request brought it about gets one of its own, which names the request.
 */
export const pushToAll = <S extends Session>(
  sessions: Iterable<S>,
  { type, cause }: DomainEvent,
  present: () => Push,
  maySee: (session: S) => boolean = () => true,
): number => {
  let push: Push | undefined;
  let shared: Buffer | undefined;
  let told = 0;
  for (const session of sessions) {
    if (!maySee(session)) continue;
    push ??= present();
    if (session.wants && !session.wants.has(push.action)) continue;
    const requestId = cause?.connectionId === session.id ? cause.requestId : undefined;
    if (type === 'event_repeated' && requestId === undefined) continue;
    if (requestId === undefined) shared ??= writePush(push);
    const frame = requestId === undefined ? shared! : writePush(push, requestId);
    if (pushFrame(session, frame, requestId)) told++;
  }
  return told;
};
