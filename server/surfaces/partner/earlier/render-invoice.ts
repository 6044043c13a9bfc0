import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import type { InvoiceRecord } from '#server/domain/accounts/payments/invoices.ts';
import type { ResellerLicense } from '#server/domain/partners/resellers/licenses.ts';

const require = createRequire(import.meta.url);
/** This font covers most scripts; the built-in PDF fonts cover Western Europe only. */
const FONTS = {
  plain: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};

const MARGIN = 56;
const AMOUNT_WIDTH = 110;

const dollars = (cents: number): string => `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;

export interface InvoiceParts {
  invoice: InvoiceRecord;
  license: ResellerLicense;
  /** The address of the product. */
  seller: string;
}

/** Renders an invoice on one page. */
export const renderInvoice = async ({ invoice, license, seller }: InvoiceParts): Promise<Buffer> => {
  // Loaded lazily: few installations render invoices, and it would slow down every start.
  const { default: PdfDocument } = await import('pdfkit');
  const document = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    info: { Title: `Invoice ${invoice.invoiceNo}`, CreationDate: invoice.issuedAt },
  });
  const whole = buffer(document);
  document.registerFont('plain', FONTS.plain).registerFont('bold', FONTS.bold);
  const width = document.page.width - 2 * MARGIN;

  const row = (name: string, value: string, font: keyof typeof FONTS = 'plain'): void => {
    const top = document.y;
    document.font(font).fontSize(10);
    document.text(value, MARGIN + width - AMOUNT_WIDTH, top, { width: AMOUNT_WIDTH, align: 'right' });
    document.text(name, MARGIN, top, { width: width - AMOUNT_WIDTH - 10 }).moveDown(0.6);
  };
  const fact = (name: string, value: string): void => {
    if (value !== '') document.font('plain').fontSize(10).text(`${name}: ${value}`, MARGIN);
  };
  const rule = (): void => {
    document
      .moveTo(MARGIN, document.y)
      .lineTo(MARGIN + width, document.y)
      .lineWidth(0.5)
      .stroke('#888888')
      .moveDown(0.6);
  };

  document.font('bold').fontSize(20).text(`Invoice ${invoice.invoiceNo}`).moveDown(0.6);
  fact('Date', invoice.issuedAt.toISOString().slice(0, 10));
  fact('Seller', `Parley, ${seller}`);
  fact('Client', `${license.clientName}, ${license.clientEmail}`);
  fact('License', String(license.licenseNumber));
  fact('Purchase order', license.purchaseOrder);
  fact('Status', 'paid');
  document.moveDown(1.5);
  rule();
  for (const { text, cents } of invoice.lines) row(text, dollars(cents));
  rule();
  row('Total', dollars(invoice.amountCents), 'bold');
  document.end();
  return whole;
};
