import type { DisconnectReason } from '#contracts/chat/frames.ts';
import type { SocketOperation } from '#contracts/operation.ts';
import type { Cause } from '#server/domain/events.ts';
import type { SocketAction } from './actions.ts';
import type { Session } from './session.ts';

/** What one audience does with its sockets; everything else about them is alike. */
export interface Endpoint<Identity, Scope> {
  /** The surface, as metrics name it. */
  name: string;
  path: string;
  farewell: Session['farewell'];
  /** Each works as an action with the same fields as over HTTP. */
  actions: SocketAction<Identity, Scope>[];
  /** The payload of a login → who it is. */
  identify(session: Session<Identity>, payload: Record<string, unknown>): Promise<Identity>;
  /** From here on until it leaves, the session gets pushes. */
  join(session: Session<Identity>): void;
  leave(session: Session<Identity>): void;
  /** The answer to the login, whose payload `identify` has checked. */
  welcome(session: Session<Identity>, payload: Record<string, unknown>): Promise<unknown>;
  /** Asked again for every request, since a credential can be withdrawn while its socket is open. */
  enter(session: Session<Identity>, operation: SocketOperation, cause: Cause | undefined): Promise<Scope>;
  /** The server goes away: whoever leaves from now on does so because of that. */
  stop?(): void;
  /** Called every five seconds. */
  sweep?(): void;
  /** Asked now and then: why somebody who logged in must go, if so. */
  hasEnded?(identity: Identity): DisconnectReason | undefined;
}
