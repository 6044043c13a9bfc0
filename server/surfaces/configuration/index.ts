import { configurationContract } from '#contracts/configuration/index.ts';
import { allowAnyOrigin } from '#server/http/cors.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { authenticateAgent, openAgentGate } from '#server/surfaces/chat-v3/agent-gate.ts';
import { writeChatError } from '#server/surfaces/chat-v3/chat-errors.ts';
import { rejectOtherVersions } from '#server/surfaces/chat-v3/chat-versions.ts';
import { botRoutes } from './bots.ts';
import { formRoutes } from './forms.ts';
import { oauthRoutes } from './oauth.ts';
import { routingRoutes } from './routing.ts';
import { webhookRoutes } from './webhooks.ts';
import { widgetRoutes } from './widget.ts';

/** Settings for an account's owner and administrators: `/v3.5/configuration/action/*`. */
export const configurationSurface: Surface = {
  contract: configurationContract,
  owns: (path) => /^\/v[\w.]+\/configuration\/action\b/.test(path),
  writeError: writeChatError,
  register: (app, ctx) => {
    allowAnyOrigin(app, '/v3.5/configuration/action/*');
    openSurface(app, ctx, configurationSurface, {
      bodies: 'json',
      authenticate: authenticateAgent(openAgentGate(ctx)),
      routes: [...webhookRoutes, ...botRoutes, ...routingRoutes, ...oauthRoutes, ...formRoutes, ...widgetRoutes],
    });
    rejectOtherVersions(app, 'configuration');
  },
};
