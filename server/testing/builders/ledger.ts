import { randomUUID } from 'node:crypto';
import { type Posting, post } from '#server/domain/partners/ledger/post.ts';
import { openPartnerScope, type PartnerScope } from '#server/domain/scope.ts';
import type { TestApp } from '../app/start-app.ts';

export const partnerScope = ({ context }: TestApp, partnerId: number): PartnerScope =>
  openPartnerScope(context.services, { kind: 'system' }, partnerId);

/** Posts a commission directly to a partner's ledger. */
export const earn = (
  test: TestApp,
  { id }: { id: number },
  cents: number,
  about: Partial<Omit<Posting, 'entries'>> = {},
): Promise<boolean> =>
  partnerScope(test, id).transaction((tx) =>
    post(tx, {
      kind: 'commission',
      externalId: randomUUID(),
      program: 'affiliate',
      product: 'mainchat',
      licenseProduct: 'mainchat',
      occurredAt: tx.now(),
      ...about,
      entries: { commission: -cents, available: cents },
    }),
  );
