import type { SurfaceContract } from '../operation.ts';
import { PartnerError, partnerErrorStatuses } from '../partner/error.ts';
import { createBan } from './bans.ts';
import { createCoupon, listCoupons, switchCoupon } from './coupons.ts';
import { anonymiseCustomer } from './customers.ts';
import { approveExpert, createExpertComment, deleteExpertComment, listExperts, rejectExpert } from './experts.ts';
import { createInvitation, deleteInvitation, listInvitations } from './invitations.ts';
import { listFailedMails, replayFailedMails } from './mails.ts';
import { createOrganization, getOrganization, listOrganizations, updateOrganization } from './organizations.ts';
import { createPartner, getPartner, listPartners, updatePartner } from './partners.ts';
import { createPayment, createRefund, listPayments, listWaitingRefunds } from './payments.ts';
import { listPrices, setPrices } from './prices.ts';
import { createRate, deleteRate, listRates } from './rates.ts';
import { listSupportAddresses, releaseSupportAddress } from './support-addresses.ts';
import { listWithdrawals, payWithdrawal, rejectWithdrawal } from './withdrawals.ts';

export const operatorContract: SurfaceContract = {
  name: 'operator',
  title: 'Operator API',
  version: '1',
  description: 'The API for the operators of the installation.',
  operations: [
    createOrganization,
    listOrganizations,
    getOrganization,
    updateOrganization,
    listSupportAddresses,
    releaseSupportAddress,
    createInvitation,
    listInvitations,
    deleteInvitation,
    createPayment,
    listPayments,
    createRefund,
    listWaitingRefunds,
    createPartner,
    listPartners,
    getPartner,
    updatePartner,
    createRate,
    listRates,
    deleteRate,
    listPrices,
    setPrices,
    createCoupon,
    listCoupons,
    switchCoupon,
    listWithdrawals,
    payWithdrawal,
    rejectWithdrawal,
    listExperts,
    approveExpert,
    rejectExpert,
    createExpertComment,
    deleteExpertComment,
    createBan,
    anonymiseCustomer,
    listFailedMails,
    replayFailedMails,
  ],
  error: PartnerError,
  errors: partnerErrorStatuses,
  security: { operatorToken: { type: 'http', scheme: 'bearer', description: 'The value of `OPERATOR_TOKEN`' } },
};
