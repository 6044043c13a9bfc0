import type { Selectable } from 'kysely';
import type { PaymentsTable, RefundsTable } from '#server/storage/tables/ledger.ts';
import type { LicenseStatus } from '#server/storage/tables/organizations.ts';
import type { AddressClaim } from './accounts/addresses/records.ts';

/**
 * Events of accounts that other areas react to. `accounts` must not call those areas, so their reactions, listed in
 * `reactions/index.ts`, run inside the transaction as soon as the event is emitted: the verb continues with what they wrote.
 */
export type AccountEvent =
  | { type: 'payment_recorded'; payment: Selectable<PaymentsTable>; licenseStatus: LicenseStatus }
  | {
      type: 'refund_applied';
      payment: Selectable<PaymentsTable>;
      refund: Selectable<RefundsTable>;
      /** The sum of all refunds of the payment, this one included. */
      refundedCents: number;
      licenseStatus: LicenseStatus;
    }
  /** The recipient of a mailed link proved that the address belongs to them. */
  | { type: 'address_confirmed'; claim: AddressClaim }
  /** `status` is set if it was written, also with the same value. */
  | { type: 'license_changed'; organizationId: string; status?: LicenseStatus | undefined };
