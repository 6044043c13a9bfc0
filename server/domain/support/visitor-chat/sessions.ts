import { DomainError } from '../../errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A queued chat may take days. */
const LIFETIME_MS = 30 * DAY_MS;

export interface VisitorSession {
  /** A scope that acts as the customer. */
  scope: OrganizationScope;
  customerId: string;
  chatId: string;
  /** The position in the chat at which the session started. */
  fromPosition: number;
}

interface NewSession {
  customerId: string;
  visitorId: string;
  chatId: string;
  fromPosition: number;
}

/** Returns the only copy of the secret. */
export const openSession = async (scope: OrganizationScope, session: NewSession): Promise<string> => {
  const secret = randomSecret();
  const createdAt = scope.now();
  const ended = scope.remove('visitorSessions').where('customerId', '=', session.customerId);
  await ended.where('expiresAt', '<=', createdAt).execute();
  const id = scope.services.secrets.hash(secret);
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
  await scope.insert('visitorSessions', { id, ...session, createdAt, expiresAt }).execute();
  return secret;
};

/** Finds a session that has not expired. It is valid only for its license and visitor. */
export const findSession = (system: OrganizationScope, { visitorId, secret }: { visitorId: string; secret: string }) =>
  system
    .from('visitorSessions')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'visitorSessions.organizationId')
        .onRef('customers.id', '=', 'visitorSessions.customerId'),
    )
    .where('visitorSessions.id', '=', system.services.secrets.hash(secret))
    .where('visitorSessions.visitorId', '=', visitorId)
    .where('visitorSessions.expiresAt', '>', system.now())
    .select(['visitorSessions.customerId', 'visitorSessions.chatId', 'fromPosition', 'bannedUntil'])
    .executeTakeFirst();

export const getSession = async (
  services: Services,
  { organizationId, ...claim }: { organizationId: string; visitorId: string; secret: string },
): Promise<VisitorSession> => {
  const system = openOrganizationScope(services, { kind: 'system' }, organizationId);
  const row = await findSession(system, claim);
  if (!row) throw new DomainError('authentication', 'The session is unknown or has expired');
  const { bannedUntil, ...session } = row;
  if (bannedUntil && bannedUntil > system.now()) throw new DomainError('customer_banned', 'Customer is banned');
  return {
    scope: openOrganizationScope(services, { kind: 'customer', id: session.customerId }, organizationId),
    ...session,
  };
};
