import { partnerContract } from '#contracts/partner/index.ts';
import { writePartnerError } from '#server/dialects/partner-errors.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { accountRoutes } from './account.ts';
import { authenticatePartner } from './auth.ts';
import { earlierRoutes } from './earlier/index.ts';
import { profileRoutes } from './profile.ts';
import { statusRoutes } from './status.ts';
import { tokenRoutes } from './tokens.ts';

/** Partners' programs and the portal: `/v2/partners`. */
export const partnerSurface: Surface = {
  contract: partnerContract,
  owns: (path) => path.startsWith('/v2/partners'),
  writeError: writePartnerError,
  register: (app, ctx) =>
    openSurface(app, ctx, partnerSurface, {
      bodies: 'form-or-json',
      authenticate: authenticatePartner(ctx),
      routes: [...statusRoutes(ctx), ...profileRoutes, ...accountRoutes, ...tokenRoutes, ...earlierRoutes(ctx)],
    }),
};
