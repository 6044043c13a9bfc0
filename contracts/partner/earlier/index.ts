import type { Operation } from '../../operation.ts';
import * as account from './account.ts';
import * as affiliates from './affiliates.ts';
import * as campaigns from './campaigns.ts';
import * as experts from './experts.ts';
import { getEarlierProfile, updateEarlierProfile } from './profile.ts';

import * as resellers from './resellers.ts';

/** The earlier shape of the API, for older client programs. Some operations share their path with a current one. */
export const earlierOperations: readonly Operation[] = [
  getEarlierProfile,
  updateEarlierProfile,
  account.changePassword,
  account.getActiveLicenses,
  account.getEarlierEarnings,
  account.getEarlierBilling,
  account.updateEarlierBilling,
  account.requestEarlierWithdrawal,
  account.listEarlierWithdrawals,
  campaigns.createEarlierCampaign,
  campaigns.disableCampaignBySlug,
  campaigns.listActiveCampaigns,
  campaigns.listDisabledCampaigns,
  affiliates.listEarlierLicenses,
  affiliates.getEarlierPerformance,
  affiliates.getAffiliateHistory,
  resellers.createResellerLicense,
  resellers.listResellerLicenses,
  resellers.getResellerLicense,
  resellers.listInvoices,
  resellers.getInvoice,
  resellers.listResellerHistory,
  resellers.createSubscription,
  resellers.updateSubscription,
  resellers.updateSubscriptionBilling,
  resellers.closeSubscription,
  experts.uploadExpertLogo,
  experts.createExpertProfile,
  experts.updateExpertProfile,
  experts.getExpertProfile,
  experts.listExpertComments,
  experts.getExpertStats,
  experts.listExpertHistory,
];
