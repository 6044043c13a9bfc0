import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { isOwnerConfirmed } from '../addresses/assert-may-mail.ts';

/** Including the owner. Anyone can sign up, and every agent can be named like a person elsewhere. */
const MAX_UNCONFIRMED_SEATS = 3;

/** Locks the organization, so that concurrent requests cannot exceed the limit. Bots take no seat. */
export const assertSeatLeft = async (tx: OrganizationScope): Promise<void> => {
  const { seats } = await tx.db
    .selectFrom('organizations')
    .where('id', '=', tx.organizationId)
    .select('seats')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const isConfirmed = await isOwnerConfirmed(tx);
  if (seats === null && isConfirmed) return;
  const { people } = await tx
    .from('agents')
    .where('deletedAt', 'is', null)
    .where('kind', '=', 'person')
    .select((eb) => eb.fn.countAll<number>().as('people'))
    .executeTakeFirstOrThrow();
  if (!isConfirmed && people >= MAX_UNCONFIRMED_SEATS)
    throw new DomainError('conflict', 'The owner must confirm their email address before more agents can be added');
  if (seats !== null && people >= seats)
    throw new DomainError('conflict', `All ${seats} seats of the license are in use`);
};
