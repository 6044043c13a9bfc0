import { trackingContract } from '#contracts/tracking/index.ts';
import { readAnyTypeAsJson } from '#server/http/body.ts';
import { allowAnyOrigin } from '#server/http/cors.ts';
import { EMBEDDABLE } from '#server/http/security-headers.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { writeChatError } from '#server/surfaces/chat-v3/chat-errors.ts';
import { beaconRoutes } from './beacons.ts';
import { scriptRoutes } from './script.ts';

/** Visitor tracking: `/tracking.js` and its beacons. */
export const trackingSurface: Surface = {
  contract: trackingContract,
  owns: (path) => /^\/tracking(\.js|\/|$)/.test(path),
  writeError: writeChatError,
  register: (app, ctx) => {
    allowAnyOrigin(app, '/tracking/*');
    app.addHook('onRequest', async (_, reply) => {
      reply.headers(EMBEDDABLE);
    });
    openSurface(app, ctx, trackingSurface, {
      bodies: 'json',
      authenticate: () => undefined,
      routes: [...scriptRoutes, ...beaconRoutes(ctx)],
    });
    readAnyTypeAsJson(app);
  },
};
