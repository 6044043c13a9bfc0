import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';

/** Locks the organization, so that concurrent requests cannot exceed the limit. Bots take no seat. */
export const assertSeatLeft = async (tx: OrganizationScope): Promise<void> => {
  const { seats } = await tx.db
    .selectFrom('organizations')
    .where('id', '=', tx.organizationId)
    .select('seats')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (seats === null) return;
  const { people } = await tx
    .from('agents')
    .where('deletedAt', 'is', null)
    .where('kind', '=', 'person')
    .select((eb) => eb.fn.countAll<number>().as('people'))
    .executeTakeFirstOrThrow();
  if (people >= seats) throw new DomainError('conflict', `All ${seats} seats of the license are in use`);
};
