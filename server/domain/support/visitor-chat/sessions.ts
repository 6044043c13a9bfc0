import { DomainError } from '../../errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A chat that waits for an agent may take days. */
const LIFETIME_MS = 30 * DAY_MS;

export interface VisitorSession {
  /** Acts as the customer. */
  scope: OrganizationScope;
  customerId: string;
  chatId: string;
  /** How much was said in the chat before the session began. */
  fromPosition: number;
}

interface NewSession {
  customerId: string;
  chatId: string;
  fromPosition: number;
}

/** Answers with the only copy of the secret. */
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

/** Who a session belongs to. It counts for the license and the visitor that it was given to, and for nobody else. */
export const findSession = async (
  services: Services,
  { organizationId, visitorId, secret }: { organizationId: string; visitorId: string; secret: string },
): Promise<VisitorSession> => {
  const system = openOrganizationScope(services, { kind: 'system' }, organizationId);
  const row = await system
    .from('visitorSessions')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'visitorSessions.organizationId')
        .onRef('customers.id', '=', 'visitorSessions.customerId'),
    )
    .where('visitorSessions.id', '=', services.secrets.hash(secret))
    .where('customers.visitorId', '=', visitorId)
    .where('visitorSessions.expiresAt', '>', system.now())
    .select(['visitorSessions.customerId', 'visitorSessions.chatId', 'fromPosition', 'bannedUntil'])
    .executeTakeFirst();
  if (!row) throw new DomainError('authentication', 'The session is unknown or has ended');
  const { bannedUntil, ...session } = row;
  if (bannedUntil && bannedUntil > system.now()) throw new DomainError('customer_banned', 'Customer is banned');
  return {
    scope: openOrganizationScope(services, { kind: 'customer', id: session.customerId }, organizationId),
    ...session,
  };
};
