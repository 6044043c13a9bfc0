import type { PartnerScope, Transaction } from '../../scope.ts';
import { newCode } from './links.ts';

/** One campaign per product, so that every partner has links from the start. */
const defaults = [
  { product: 'mainchat', name: 'Main chat', slug: 'pp_main-chat' },
  { product: 'chatbot', name: 'Chatbot', slug: 'pp_chatbot' },
  { product: 'partner_program', name: 'Partner program', slug: 'pp_partner-program' },
] as const;

/** Called when a partner is created. */
export const writeDefaultCampaigns = async (tx: Transaction<PartnerScope>): Promise<void> => {
  const createdAt = tx.now();
  const rows = defaults.map((campaign) => ({ ...campaign, code: newCode(), isDefault: true, createdAt }));
  await tx.insert('campaigns', rows).execute();
};
