import { updateBilling } from '#server/domain/partners/accounts/billing.ts';
import { createCoupon } from '#server/domain/partners/coupons/coupons.ts';
import { addComment } from '#server/domain/partners/experts/comments.ts';
import { saveExpert } from '#server/domain/partners/experts/profile.ts';
import { createRate } from '#server/domain/partners/rates/manage-rates.ts';
import {
  hashStatement,
  NO_HASH,
  writeStatement,
  ZERO_BALANCES,
} from '#server/domain/partners/statements/statement-text.ts';
import { requestWithdrawal } from '#server/domain/partners/withdrawals/withdrawals.ts';
import { openPartnerScope, openPlatformScope, type PartnerScope, type PlatformScope } from '#server/domain/scope.ts';
import type { TestApp } from '../app/start-app.ts';
import { buildCampaign, type TestCampaign } from './campaigns.ts';
import { earn } from './ledger.ts';
import { buildResoldLicenses, type ResoldLicenses } from './resold-licenses.ts';

/** Data of a partner. All texts contain a unique marker. */
export interface Partnership {
  couponId: number;
  campaign: TestCampaign;
  withdrawalId: number;
  commentId: number;
  /** A commission rate of this partner. */
  rateId: number;
  resold: ResoldLicenses;
}

/** A PNG of 350 × 350 pixels in one color. */
export const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAV4AAAFeCAMAAAD69YcoAAAAA1BMVEULdGCtzg+RAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAjklEQVR42u3BgQ' +
    'AAAADDoPlTX+EAVQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAvAbf8QABMRArWgAAAABJRU5ErkJggg==',
  'base64',
);

const buildExpert = async (scope: PartnerScope, operator: PlatformScope, marker: string): Promise<number> => {
  const now = scope.now();
  await scope
    .insert('experts', { logoKey: `experts/${scope.partnerId}/none.png`, createdAt: now, updatedAt: now })
    .execute();
  await saveExpert(scope, {
    company: marker,
    phone: marker,
    description: marker,
    shortDescription: marker,
    hourRate: marker,
    projectRate: marker,
    country: 'PL',
    website: `https://${marker}.test`,
    socials: [],
    categories: ['training'],
    projects: [],
  });
  return (await addComment(operator, { partnerId: scope.partnerId, comment: marker, author: marker })).id;
};

/** A month before the first transaction. */
export const EMPTY_MONTH = '2026-02';

const writeEmptyStatement = async (scope: PartnerScope): Promise<void> => {
  const month = `${EMPTY_MONTH}-01`;
  const { partnerId } = scope;
  const content = writeStatement({ partnerId, month, opening: ZERO_BALANCES, lines: [], closing: ZERO_BALANCES });
  const hash = hashStatement(NO_HASH, content);
  await scope.insert('statements', { month, content, previousHash: NO_HASH, hash, createdAt: scope.now() }).execute();
};

export const buildPartnership = async (
  test: TestApp,
  partner: { id: number },
  marker: string,
): Promise<Partnership> => {
  const { services } = test.context;
  const scope = openPartnerScope(services, { kind: 'partner', id: partner.id }, partner.id);
  const operator = openPlatformScope(services, { kind: 'operator' });
  const { id: couponId } = await createCoupon(operator, { partnerId: partner.id, label: marker, percentOff: 10 });
  await updateBilling(scope, {
    type: 'business',
    company: marker,
    address: marker,
    city: marker,
    country: 'PL',
    payoutAccount: `${marker}@payout.test`,
  });
  await earn(test, partner, 10_000);
  const { id: withdrawalId } = await requestWithdrawal(scope);
  await earn(test, partner, 10_000);
  const commentId = await buildExpert(scope, operator, marker);
  const { id: rateId } = await createRate(operator, { kind: 'commission', percent: 25, forPartnerId: partner.id });
  await writeEmptyStatement(scope);
  const campaign = await buildCampaign(scope, couponId, marker);
  const resold = await buildResoldLicenses(test, scope, marker);
  return { resold, couponId, campaign, withdrawalId, commentId, rateId };
};
