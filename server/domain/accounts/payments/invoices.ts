import type { Selectable } from 'kysely';
import type { InvoiceLine, InvoicesTable } from '#server/storage/tables/resellers.ts';
import { notFound } from '../../errors.ts';
import { type OrganizationScope, openOrganizationScope, type PartnerScope } from '../../scope.ts';
import type { PaymentRecord } from './find-payment.ts';
import { nextInvoiceNumber } from './invoice-numbers.ts';

export type InvoiceRecord = Selectable<InvoicesTable>;

export interface NewInvoice {
  paymentExternalId: string;
  plan: string;
  billingCycle: string;
  seats: number;
  lines: InvoiceLine[];
  amountCents: number;
}

/** One series for the whole installation. */
const SERIES = 'invoices';

/** Runs in the transaction of the payment. */
export const writeInvoice = async (tx: OrganizationScope, { lines, ...invoice }: NewInvoice): Promise<void> => {
  const invoiceNo = await nextInvoiceNumber(tx, SERIES);
  await tx.insert('invoices', { ...invoice, lines: JSON.stringify(lines), invoiceNo, issuedAt: tx.now() }).execute();
};

/** The invoice of a payment without a subscription has one line. */
export const invoicePayment = async (
  tx: OrganizationScope,
  { externalId, plan, billingCycle, seats, amountCents }: PaymentRecord,
): Promise<void> => {
  const { plan: current, seats: held } = await tx.db
    .selectFrom('organizations')
    .where('id', '=', tx.organizationId)
    .select(['plan', 'seats'])
    .executeTakeFirstOrThrow();
  const terms = { plan: plan ?? current, billingCycle: billingCycle ?? 'monthly', seats: seats ?? held ?? 1 };
  const text = `${terms.plan}, ${terms.billingCycle}, ${terms.seats} ${terms.seats === 1 ? 'seat' : 'seats'}`;
  await writeInvoice(tx, {
    paymentExternalId: externalId,
    ...terms,
    lines: [{ text: text.charAt(0).toUpperCase() + text.slice(1), cents: amountCents }],
    amountCents,
  });
};

const enter = (scope: PartnerScope, organizationId: string): OrganizationScope =>
  openOrganizationScope(scope.services, { kind: 'system' }, organizationId);

/** Newest first. Callers check that the license belongs to the partner. */
export const listInvoices = (scope: PartnerScope, organizationId: string): Promise<InvoiceRecord[]> =>
  enter(scope, organizationId).from('invoices').orderBy('invoiceNo', 'desc').selectAll().execute();

export const getInvoice = async (
  scope: PartnerScope,
  { organizationId, invoiceNo }: { organizationId: string; invoiceNo: number },
): Promise<InvoiceRecord> => {
  const invoice = await enter(scope, organizationId)
    .from('invoices')
    .where('invoiceNo', '=', invoiceNo)
    .selectAll()
    .executeTakeFirst();
  if (!invoice) throw notFound('Invoice');
  return invoice;
};
