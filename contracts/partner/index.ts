import type { SurfaceContract } from '../operation.ts';
import { affiliateOperations } from './affiliates.ts';
import { bestPerformingOperations } from './best-performing.ts';
import { getBilling, updateBilling } from './billing.ts';
import { campaignOperations } from './campaigns.ts';
import { listCommissions } from './commissions.ts';
import { listCoupons } from './coupons.ts';
import { earlierOperations } from './earlier/index.ts';
import { getBalance, getEarnings } from './earnings.ts';
import { PartnerError, partnerErrorStatuses } from './error.ts';
import { metricOperations } from './metrics.ts';
import { getProfile, updateProfile } from './profile.ts';
import { reportOperations } from './reports.ts';
import { getStatement, listStatements } from './statements.ts';
import { getStats } from './stats.ts';
import { getStatus } from './status.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';
import { listWithdrawals, requestWithdrawal } from './withdrawals.ts';

export const partnerContract: SurfaceContract = {
  name: 'partner',
  title: 'Partner Program API',
  version: '2',
  description: 'The API for partners’ applications and the partner portal.',
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
    listCommissions,
    listStatements,
    getStatement,
    createToken,
    listTokens,
    revokeToken,
    ...campaignOperations,
    ...affiliateOperations,
    ...metricOperations,
    ...reportOperations,
    ...bestPerformingOperations,
    ...earlierOperations,
  ],
  error: PartnerError,
  errors: partnerErrorStatuses,
  security: { partnerToken: { type: 'http', scheme: 'bearer', description: 'An API token of the partner' } },
};
