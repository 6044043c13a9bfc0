import type { DisconnectReason } from '#contracts/chat/frames.ts';
import type { SocketOperation } from '#contracts/operation.ts';
import type { Cause } from '#server/domain/events.ts';
import type { SocketAction } from './actions.ts';
import type { Session } from './session.ts';

/** How one surface uses its sockets. */
export interface Endpoint<Identity, Scope> {
  /** The name of the surface in metrics. */
  name: string;
  path: string;
  disconnectPush: Session['disconnectPush'];
  /** Actions with the same fields as over HTTP. */
  actions: SocketAction<Identity, Scope>[];
  /** Identifies the caller from the payload of the login. */
  identify(session: Session<Identity>, payload: Record<string, unknown>): Promise<Identity>;
  /** The session receives pushes from here until it leaves. */
  join(session: Session<Identity>): void;
  leave(session: Session<Identity>): void;
  /** Returns the answer to the login, whose payload `identify` has checked. */
  completeLogin(session: Session<Identity>, payload: Record<string, unknown>): Promise<unknown>;
  /** Called for every request, since credentials can be revoked while the socket is open. */
  enter(session: Session<Identity>, operation: SocketOperation, cause: Cause | undefined): Promise<Scope>;
  /** Called on shutdown, so that leaving sessions are attributed to it. */
  stop?(): void;
  /** Called every five seconds. */
  sweep?(): void;
  /** Called regularly: why a logged-in session must be disconnected, if so. */
  hasEnded?(identity: Identity): DisconnectReason | undefined;
}
