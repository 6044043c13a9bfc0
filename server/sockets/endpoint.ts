import type { Operation } from '#contracts/operation.ts';
import type { Action } from '#server/http/route.ts';
import type { Session } from './session.ts';

/** What one audience does with its sockets; everything else about them is alike. */
export interface Endpoint<Identity, Scope> {
  /** The surface, as metrics name it. */
  name: string;
  path: string;
  /** Each works as an action with the same fields as over HTTP. */
  actions: Action<Scope>[];
  /** The payload of a login → who it is. */
  identify(session: Session<Identity>, payload: Record<string, unknown>): Promise<Identity>;
  /** From here on until it leaves, the session gets pushes. */
  join(session: Session<Identity>): void;
  leave(session: Session<Identity>): void;
  /** The answer to the login. */
  welcome(identity: Identity): Promise<unknown>;
  /** Asked again for every request, since a credential can be withdrawn while its socket is open. */
  enter(session: Session<Identity>, operation: Operation): Promise<Scope>;
}
