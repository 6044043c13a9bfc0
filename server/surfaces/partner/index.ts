import { partnerContract } from '#contracts/partner/index.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { acceptImageBodies, acceptUploadForms } from '#server/surfaces/chat-v3/upload-file.ts';
import { writePartnerError } from '#server/surfaces/shared/partner-errors.ts';
import { accountRoutes } from './account.ts';
import { affiliateRoutes } from './affiliates.ts';
import { authenticatePartner } from './auth.ts';
import { bestPerformingRoutes } from './best-performing.ts';
import { campaignRoutes } from './campaigns.ts';
import { earlierRoutes } from './earlier/index.ts';
import { ledgerRoutes } from './ledger.ts';
import { metricRoutes } from './metrics.ts';
import { profileRoutes } from './profile.ts';
import { reportRoutes } from './reports.ts';
import { statusRoutes } from './status.ts';
import { tokenRoutes } from './tokens.ts';

/** The API for partners: `/v2/partners`. */
export const partnerSurface: Surface = {
  contract: partnerContract,
  owns: (path) => path.startsWith('/v2/partners'),
  writeError: writePartnerError,
  register: (app, ctx) => {
    openSurface(app, ctx, partnerSurface, {
      bodies: 'form-or-json',
      authenticate: authenticatePartner(ctx),
      routes: [
        ...statusRoutes(ctx),
        ...profileRoutes,
        ...accountRoutes,
        ...ledgerRoutes,
        ...tokenRoutes,
        ...campaignRoutes,
        ...affiliateRoutes,
        ...metricRoutes,
        ...reportRoutes,
        ...bestPerformingRoutes,
        ...earlierRoutes(ctx),
      ],
    });
    acceptUploadForms(app);
    acceptImageBodies(app);
  },
};
