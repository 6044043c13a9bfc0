import { listInvoices } from '#server/domain/accounts/payments/invoices.ts';
import { createResellerLicense, getResellerLicense } from '#server/domain/partners/resellers/licenses.ts';
import { subscribe } from '#server/domain/partners/subscriptions/subscriptions.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Sandbox } from '#server/ports/payments/sandbox.ts';
import type { TestApp } from '../app/start-app.ts';

/** Licenses that a partner resells to its clients. */
export interface ResoldLicenses {
  /** On trial, without a subscription. */
  trial: string;
  subscribed: string;
  invoiceNo: number;
  /** The token of a new card. */
  cardToken: string;
}

const CARD = { number: '4111111111111111', month: '12', year: '2040', verificationValue: '123' };

export const createCardToken = async ({ context }: TestApp): Promise<string> => {
  const created = await (context.ports.payments as Sandbox).createToken(CARD);
  if ('error' in created) throw new Error(created.error);
  return created.id;
};

export const buildResoldLicenses = async (
  test: TestApp,
  scope: PartnerScope,
  marker: string,
): Promise<ResoldLicenses> => {
  const buy = (email: string) =>
    createResellerLicense(scope, { clientName: marker, clientEmail: `${email}-${marker}@client.test` });
  const trial = await buy('trial');
  const { licenseNumber, organizationId } = await buy('subscribed');
  const token = await createCardToken(test);
  await subscribe(scope, { licenseNumber, token, plan: 'team', billingCycle: 'monthly', seats: 1 });
  const [invoice] = await listInvoices(scope, (await getResellerLicense(scope, licenseNumber)).organizationId);
  if (!invoice) throw new Error(`No invoice found for ${organizationId}`);
  return {
    trial: String(trial.licenseNumber),
    subscribed: String(licenseNumber),
    invoiceNo: invoice.invoiceNo,
    cardToken: await createCardToken(test),
  };
};
