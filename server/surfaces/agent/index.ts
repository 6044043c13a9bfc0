import { agentContract } from '#contracts/agent/index.ts';
import { writeChatError } from '#server/dialects/chat-errors.ts';
import { refuseOtherVersions } from '#server/dialects/chat-versions.ts';
import { allowAnyOrigin } from '#server/http/cors.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { authenticateAgent, openAgentGate } from './auth.ts';
import { chatActions } from './chats.ts';
import { eventActions } from './events.ts';
import { agentEndpoint } from './socket.ts';

const actions = [...chatActions, ...eventActions];

/** The console and bots: `/v3.5/agent/action/*` and `/v3.5/agent/rtm/ws`. */
export const agentSurface: Surface = {
  contract: agentContract,
  owns: (path) => /^\/v[\w.]+\/agent\/(action|rtm)\b/.test(path),
  writeError: writeChatError,
  register: (app, ctx) => {
    const gate = openAgentGate(ctx);
    allowAnyOrigin(app, '/v3.5/agent/action/*');
    openSurface(app, ctx, agentSurface, { bodies: 'json', authenticate: authenticateAgent(gate), routes: actions });
    refuseOtherVersions(app, 'agent');
    app.sockets.add(agentEndpoint(ctx, gate, actions));
  },
};
