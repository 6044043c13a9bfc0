import type { SurfaceContract } from '../operation.ts';
import { getBilling, updateBilling } from './billing.ts';
import { listCoupons } from './coupons.ts';
import { earlierOperations } from './earlier/index.ts';
import { getBalance, getEarnings } from './earnings.ts';
import { PartnerError, partnerErrorStatuses } from './error.ts';
import { getProfile, updateProfile } from './profile.ts';
import { getStats } from './stats.ts';
import { getStatus } from './status.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';
import { listWithdrawals, requestWithdrawal } from './withdrawals.ts';

export const partnerContract: SurfaceContract = {
  name: 'partner',
  title: 'Partner Program API',
  version: '2',
  description: 'What a partner’s programs and the portal call.',
  operations: [
    getStatus,
    getProfile,
    updateProfile,
    getStats,
    listCoupons,
    getEarnings,
    getBalance,
    getBilling,
    updateBilling,
    requestWithdrawal,
    listWithdrawals,
    createToken,
    listTokens,
    revokeToken,
    ...earlierOperations,
  ],
  error: PartnerError,
  errors: partnerErrorStatuses,
  security: { partnerToken: { type: 'http', scheme: 'bearer', description: 'An API token of the partner' } },
};
