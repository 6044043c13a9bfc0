import { agentContract } from '#contracts/agent/index.ts';
import { allowAnyOrigin } from '#server/http/cors.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { authenticateAgent, openAgentGate } from '#server/surfaces/chat-v3/agent-gate.ts';
import { writeChatError } from '#server/surfaces/chat-v3/chat-errors.ts';
import { rejectOtherVersions } from '#server/surfaces/chat-v3/chat-versions.ts';
import { acceptUploadForms } from '#server/surfaces/chat-v3/upload-file.ts';
import { apiKeyRoutes } from './api-key.ts';
import { archiveActions } from './archives.ts';
import { chatActions } from './chats.ts';
import { customerCareActions } from './customer-care.ts';
import { customerActions } from './customers.ts';
import { eventActions } from './events.ts';
import { fileActions, fileRoutes } from './files.ts';
import { presenceActions } from './presence.ts';
import { propertyActions } from './properties.ts';
import { routingActions } from './routing.ts';
import { sessionActions } from './sessions.ts';
import { agentEndpoint } from './socket.ts';
import { tagActions } from './tags.ts';
import { threadActions } from './threads.ts';
import { ticketActions, ticketRoutes } from './tickets.ts';
import { twoFactorActions, twoFactorRoutes } from './two-factor.ts';
import { userActions } from './users.ts';

const actions = [
  ...chatActions,
  ...threadActions,
  ...archiveActions,
  ...userActions,
  ...propertyActions,
  ...tagActions,
  ...customerActions,
  ...customerCareActions,
  ...eventActions,
  ...presenceActions,
  ...routingActions,
  ...ticketActions,
  ...sessionActions,
  ...twoFactorActions,
];

/** The console and bots: `/v3.5/agent/action/*` and `/v3.5/agent/rtm/ws`. */
export const agentSurface: Surface = {
  contract: agentContract,
  owns: (path) => /^\/v[\w.]+\/agent\/(action|rtm)\b/.test(path),
  writeError: writeChatError,
  register: (app, ctx) => {
    const gate = openAgentGate(ctx);
    allowAnyOrigin(app, '/v3.5/agent/action/*');
    openSurface(app, ctx, agentSurface, {
      bodies: 'json',
      authenticate: authenticateAgent(gate),
      routes: [...actions, ...fileRoutes(ctx), ...ticketRoutes(ctx), ...twoFactorRoutes(ctx), ...apiKeyRoutes(ctx)],
    });
    acceptUploadForms(app);
    rejectOtherVersions(app, 'agent');
    app.sockets.add(agentEndpoint(ctx, gate, [...actions, ...fileActions]));
  },
};
