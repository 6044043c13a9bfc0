import type { FastifyRequest } from 'fastify';
import { oauthContract } from '#contracts/oauth/index.ts';
import type { Context } from '#server/context.ts';
import { type IdentifiedToken, identifyToken } from '#server/domain/accounts/oauth/tokens.ts';
import { readBearer } from '#server/http/credentials.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { writeOauthError } from '#server/surfaces/shared/oauth-errors.ts';
import { passwordRoutes } from './passwords.ts';
import { signInRoutes } from './sign-in.ts';
import { tokenRoutes } from './tokens.ts';

const authenticateHolder =
  (ctx: Context) =>
  (request: FastifyRequest): Promise<IdentifiedToken> => {
    const { code } = request.query as { code?: unknown };
    const token = readBearer(request) ?? (typeof code === 'string' ? code : '');
    return identifyToken(ctx.database, ctx.services, token);
  };

/** Sessions and OAuth tokens of agents. The consent page is part of the site surface. */
export const oauthSurface: Surface = {
  contract: oauthContract,
  owns: (path) => /^\/(v2\/(token|info)|signin)(\/|%|$)/.test(path),
  writeError: writeOauthError,
  register: (app, ctx) =>
    openSurface(app, ctx, oauthSurface, {
      bodies: 'form-or-json',
      authenticate: authenticateHolder(ctx),
      routes: [...tokenRoutes(ctx), ...signInRoutes(ctx), ...passwordRoutes(ctx)],
    }),
};
