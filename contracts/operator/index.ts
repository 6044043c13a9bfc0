import type { SurfaceContract } from '../operation.ts';
import { PartnerError, partnerErrorStatuses } from '../partner/error.ts';
import { createBan } from './bans.ts';
import { createCoupon, listCoupons, switchCoupon } from './coupons.ts';
import { createOrganization, getOrganization, listOrganizations, updateOrganization } from './organizations.ts';
import { createPartner } from './partners.ts';
import { listWithdrawals, payWithdrawal, rejectWithdrawal } from './withdrawals.ts';

export const operatorContract: SurfaceContract = {
  name: 'operator',
  title: 'Operator API',
  version: '1',
  description: 'What the people who run the installation can do.',
  operations: [
    createOrganization,
    listOrganizations,
    getOrganization,
    updateOrganization,
    createPartner,
    createCoupon,
    listCoupons,
    switchCoupon,
    listWithdrawals,
    payWithdrawal,
    rejectWithdrawal,
    createBan,
  ],
  error: PartnerError,
  errors: partnerErrorStatuses,
  security: { operatorToken: { type: 'http', scheme: 'bearer', description: 'OPERATOR_TOKEN' } },
};
