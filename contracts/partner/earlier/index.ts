import type { Operation } from '../../operation.ts';
import * as account from './account.ts';
import { getEarlierProfile, updateEarlierProfile } from './profile.ts';

/** What partners’ older programs call; each shares its path with a current operation, or stands alone. */
export const earlierOperations: readonly Operation[] = [
  getEarlierProfile,
  updateEarlierProfile,
  account.changePassword,
  account.getActiveLicences,
  account.getEarlierEarnings,
  account.getEarlierBilling,
  account.updateEarlierBilling,
  account.requestEarlierWithdrawal,
  account.listEarlierWithdrawals,
];
