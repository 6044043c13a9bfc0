import { sql } from 'kysely';
import type { LicenceStatus } from '#server/storage/tables/organizations.ts';
import type { BaseScope, PlatformScope, Transaction } from '../../scope.ts';

const PAYMENT_LOCK = 13;

/** A payment and its refunds may be told in any order, also at once: one after the other, whether or not it is known yet. */
export const lockPayment = async ({ db }: Transaction<PlatformScope>, externalId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${PAYMENT_LOCK}, hashtext(${externalId}))`.execute(db);
};

export interface HeldLicence {
  status: LicenceStatus;
  paidUntil: Date | null;
}

/** Whoever blocks it waits, so that money goes where it belongs. */
export const lockLicence = ({ db }: Pick<BaseScope, 'db'>, organizationId: string): Promise<HeldLicence> =>
  db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['status', 'paidUntil'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
