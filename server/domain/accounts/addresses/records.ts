import type { ConfirmationKind } from '#server/storage/tables/address-confirmations.ts';

/** Someone names an address and has to prove that they receive its mail. */
export interface AddressClaim {
  kind: ConfirmationKind;
  /** The organization or partner. */
  ownerId: string;
  /** The customer or agent; empty for a partner or a support address. */
  subjectId: string;
  address: string;
}
