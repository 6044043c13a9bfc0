import { sql } from 'kysely';
import type { LicenseStatus } from '#server/storage/tables/organizations.ts';
import type { BaseScope, PlatformScope, Transaction } from '../../scope.ts';

const PAYMENT_LOCK = 13;

/** A payment and its refunds may be told in any order, also at once: one after the other, whether or not it is known yet. */
export const lockPayment = async ({ db }: Transaction<PlatformScope>, externalId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${PAYMENT_LOCK}, hashtext(${externalId}))`.execute(db);
};

export interface HeldLicense {
  status: LicenseStatus;
  paidUntil: Date | null;
}

/** Whoever blocks it waits, so that money goes where it belongs. */
export const lockLicense = ({ db }: Pick<BaseScope, 'db'>, organizationId: string): Promise<HeldLicense> =>
  db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['status', 'paidUntil'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
