import * as contract from '#contracts/partner/earlier/resellers.ts';
import type { Context } from '#server/context.ts';
import { getInvoice, listInvoices } from '#server/domain/accounts/payments/invoices.ts';
import { listResellerHistory } from '#server/domain/partners/resellers/history.ts';
import {
  createResellerLicense,
  getResellerLicense,
  listResellerLicenses,
} from '#server/domain/partners/resellers/licenses.ts';
import { discountFor } from '#server/domain/partners/subscriptions/price-terms.ts';
import {
  changeCard,
  changeSubscription,
  closeSubscription,
  subscribe,
} from '#server/domain/partners/subscriptions/subscriptions.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { readDateRange } from '../date-range.ts';
import { limitPasswordTries } from './password-tries.ts';
import { presentInvoice, presentLicense, presentListedLicense } from './present-reseller.ts';
import { renderInvoice } from './render-invoice.ts';

const partnerRoute = route<PartnerScope>();

const percentNow = async (scope: PartnerScope): Promise<number> => (await discountFor(scope, scope.now())).percent;

export const resellerRoutes = (ctx: Context): Route<PartnerScope>[] => {
  const limitTries = limitPasswordTries(ctx);
  return [
    partnerRoute(contract.createResellerLicense, async ({ body, scope }) => {
      const { client_name: clientName, client_email: clientEmail, purchase_order: purchaseOrder } = body;
      const license = await createResellerLicense(scope, { clientName, clientEmail, purchaseOrder });
      return presentLicense(license, await percentNow(scope));
    }),
    partnerRoute(contract.listResellerLicenses, async ({ query, scope }) => {
      const licenses = await listResellerLicenses(scope, readDateRange(query));
      const percent = await percentNow(scope);
      return { result: licenses.map((license) => presentListedLicense(license, percent)) };
    }),
    partnerRoute(contract.getResellerLicense, async ({ params, scope }) =>
      presentLicense(await getResellerLicense(scope, Number(params.license_id)), await percentNow(scope)),
    ),
    partnerRoute(contract.listInvoices, async ({ params, scope }) => {
      const { organizationId } = await getResellerLicense(scope, Number(params.license_id));
      return { result: (await listInvoices(scope, organizationId)).map(presentInvoice) };
    }),
    partnerRoute(contract.getInvoice, async ({ params, scope, reply }) => {
      const license = await getResellerLicense(scope, Number(params.license_id));
      const invoiceNo = Number(params.invoice_no);
      const invoice = await getInvoice(scope, { organizationId: license.organizationId, invoiceNo });
      const pdf = await renderInvoice({ invoice, license, seller: ctx.publicUrl() });
      await reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="invoice-${invoiceNo}.pdf"`)
        .send(pdf);
    }),
    partnerRoute(contract.listResellerHistory, async ({ scope }) => ({
      result: (await listResellerHistory(scope)).map(({ month, trials, paid }) => ({ date: month, trials, paid })),
    })),
    partnerRoute(contract.createSubscription, async ({ params, body, scope }) => {
      const { token, plan, billing_cycle: billingCycle, seats } = body;
      await subscribe(scope, { licenseNumber: Number(params.license_id), token, plan, billingCycle, seats });
      return {};
    }),
    partnerRoute(contract.updateSubscription, async ({ params, body, scope }) => {
      const { plan, billing_cycle: billingCycle, seats } = body;
      await changeSubscription(scope, { licenseNumber: Number(params.license_id), plan, billingCycle, seats });
      return {};
    }),
    partnerRoute(contract.updateSubscriptionBilling, async ({ params, body, scope }) => {
      await changeCard(scope, { licenseNumber: Number(params.license_id), token: body.token });
      return {};
    }),
    partnerRoute(contract.closeSubscription, async ({ params, body, scope }) => {
      limitTries(scope);
      const { password, expire = false } = body;
      await closeSubscription(scope, { licenseNumber: Number(params.license_id), password, expire });
      return {};
    }),
  ];
};
