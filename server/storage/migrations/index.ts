import type { Migration } from '../migrate.ts';
import { accounts } from './0001-accounts.ts';
import { support } from './0002-support.ts';
import { partners } from './0003-partners.ts';
import { projections } from './0004-projections.ts';
import { visitorSessionIds } from './0005-visitor-session-ids.ts';
import { transcriptRecipients } from './0006-transcript-recipients.ts';
import { outgoingMails } from './0007-outgoing-mails.ts';
import { webhookLeases } from './0008-webhook-leases.ts';
import { invitations } from './0009-invitations.ts';
import { addressConfirmations } from './0010-address-confirmations.ts';

/** In order, imported by hand. A released migration is never changed; the previous release must run on the new schema. */
export const migrations: Migration[] = [
  accounts,
  support,
  partners,
  projections,
  visitorSessionIds,
  transcriptRecipients,
  outgoingMails,
  webhookLeases,
  invitations,
  addressConfirmations,
];
