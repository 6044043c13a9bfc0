import type { Profile } from '#contracts/partner/profile.ts';
import type { ApiToken } from '#contracts/partner/tokens.ts';
import type { PartnerRecord } from '#server/domain/partners/accounts/accounts.ts';
import type { TokenRecord } from '#server/domain/partners/accounts/tokens.ts';

/** `YYYY-MM-DD HH:mm:ss`, UTC. */
export const toPartnerTimestamp = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

/** Flags of the documented response; none is set unless the record says so. */
const NO_FLAGS = {
  sales_kit_popup_closed: false,
  pitch_deck_downloaded: false,
  tier2_popup_closed: false,
  payment_origin_popup_closed: false,
};

export const presentProfile = (partner: PartnerRecord): Profile => ({
  partner_id: String(partner.id),
  login: partner.login,
  first_name: partner.firstName,
  last_name: partner.lastName,
  contact_name: partner.contactName,
  contact_email: partner.contactEmail,
  solution_status: partner.solutionStatus,
  properties: { ...NO_FLAGS, ...partner.properties },
});

export const presentToken = ({ id, token, createdAt, label }: TokenRecord): ApiToken => ({
  id,
  token,
  creation_timestamp: toPartnerTimestamp(createdAt),
  label,
});
