import { operatorContract } from '#contracts/operator/index.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { writePartnerError } from '#server/surfaces/shared/partner-errors.ts';
import { authenticateOperator } from './auth.ts';
import { banRoutes } from './bans.ts';
import { couponRoutes } from './coupons.ts';
import { customerRoutes } from './customers.ts';
import { expertRoutes } from './experts.ts';
import { invitationRoutes } from './invitations.ts';
import { mailRoutes } from './mails.ts';
import { organizationRoutes } from './organizations.ts';
import { partnerRoutes } from './partners.ts';
import { paymentRoutes } from './payments.ts';
import { priceRoutes } from './prices.ts';
import { rateRoutes } from './rates.ts';
import { supportAddressRoutes } from './support-addresses.ts';
import { withdrawalRoutes } from './withdrawals.ts';

/** The API for the operators of the installation: `/operator/v1/*`. */
export const operatorSurface: Surface = {
  contract: operatorContract,
  owns: (path) => path.startsWith('/operator'),
  writeError: writePartnerError,
  register: (app, ctx) =>
    openSurface(app, ctx, operatorSurface, {
      bodies: 'json',
      authenticate: authenticateOperator(ctx),
      routes: [
        ...organizationRoutes,
        ...supportAddressRoutes,
        ...invitationRoutes,
        ...paymentRoutes,
        ...partnerRoutes,
        ...rateRoutes,
        ...priceRoutes,
        ...couponRoutes,
        ...withdrawalRoutes,
        ...expertRoutes,
        ...banRoutes,
        ...customerRoutes(ctx),
        ...mailRoutes,
      ],
    }),
};
