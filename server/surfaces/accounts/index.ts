import { accountsContract } from '#contracts/accounts/index.ts';
import { readAnyTypeAsJson } from '#server/http/body.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { writeOauthError } from '#server/surfaces/shared/oauth-errors.ts';
import { authenticateTokenHolder } from './auth.ts';
import { customerTokenRoutes } from './customer-tokens.ts';
import { allowCallingOrigin } from './origins.ts';

/** Customer tokens for browsers. */
export const accountsSurface: Surface = {
  contract: accountsContract,
  owns: (path) => path.startsWith('/v2/customer'),
  writeError: writeOauthError,
  register: (app, ctx) => {
    allowCallingOrigin(app);
    openSurface(app, ctx, accountsSurface, {
      bodies: 'json',
      authenticate: authenticateTokenHolder(ctx),
      routes: customerTokenRoutes(ctx),
    });
    readAnyTypeAsJson(app);
  },
};
