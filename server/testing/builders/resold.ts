import { listInvoices } from '#server/domain/accounts/payments/invoices.ts';
import { createResellerLicense, getResellerLicense } from '#server/domain/partners/resellers/licenses.ts';
import { subscribe } from '#server/domain/partners/subscriptions/subscriptions.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Sandbox } from '#server/ports/payments/sandbox.ts';
import type { TestApp } from '../app/start-app.ts';

/** Licenses that a partner resells to its clients. */
export interface Resold {
  /** On trial, without a subscription. */
  trial: string;
  subscribed: string;
  invoiceNo: number;
  /** The token of a new card. */
  cardToken: string;
}

const CARD = { number: '4111111111111111', month: '12', year: '2040', verificationValue: '123' };

export const makeCardToken = async ({ context }: TestApp): Promise<string> => {
  const made = await (context.payments as Sandbox).createToken(CARD);
  if ('fault' in made) throw new Error(made.fault);
  return made.id;
};

export const buildResold = async (test: TestApp, scope: PartnerScope, mark: string): Promise<Resold> => {
  const buy = (email: string) =>
    createResellerLicense(scope, { clientName: mark, clientEmail: `${email}-${mark}@client.test` });
  const trial = await buy('trial');
  const { licenseNumber, organizationId } = await buy('subscribed');
  const token = await makeCardToken(test);
  await subscribe(scope, { licenseNumber, token, plan: 'team', billingCycle: 'monthly', seats: 1 });
  const [invoice] = await listInvoices(scope, (await getResellerLicense(scope, licenseNumber)).organizationId);
  if (!invoice) throw new Error(`There is no invoice of ${organizationId}`);
  return {
    trial: String(trial.licenseNumber),
    subscribed: String(licenseNumber),
    invoiceNo: invoice.invoiceNo,
    cardToken: await makeCardToken(test),
  };
};
