import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { agentRoutes } from './agents.ts';
import { assertVersion, authenticateAgent, challenge } from './auth.ts';
import { cannedResponseRoutes } from './canned-responses.ts';
import { chatRoutes } from './chats.ts';
import { dropNulls } from './drop-nulls.ts';
import { writeChatOpsError } from './errors.ts';
import { acceptGetBodies } from './get-body.ts';
import { goalRoutes } from './goals.ts';
import { greetingRoutes } from './greetings.ts';
import { groupRoutes } from './groups.ts';
import { answerJsonp } from './jsonp.ts';
import { reportRoutes } from './reports.ts';
import { ticketReportRoutes } from './reports-tickets.ts';
import { statusRoutes } from './status.ts';
import { tagRoutes } from './tags.ts';
import { ticketRoutes } from './tickets.ts';
import { visitorChatRoutes } from './visitor-chat.ts';
import { visitorRoutes } from './visitors.ts';
import { webhookRoutes } from './webhooks.ts';

/** Operations for an account's back office. Its paths are at the root, so it also answers unknown URLs. */
export const chatOpsSurface: Surface = {
  contract: chatOpsContract,
  owns: () => true,
  writeError: writeChatOpsError,
  register: (app, ctx) => {
    challenge(app);
    answerJsonp(app);
    acceptGetBodies(app);
    dropNulls(app);
    app.addHook('onRequest', async (request) => assertVersion(request));
    openSurface(app, ctx, chatOpsSurface, {
      bodies: 'form-or-json',
      authenticate: authenticateAgent(ctx),
      routes: [
        ...agentRoutes(ctx),
        ...groupRoutes,
        ...cannedResponseRoutes,
        ...goalRoutes,
        ...greetingRoutes,
        ...tagRoutes,
        ...statusRoutes,
        ...webhookRoutes,
        ...chatRoutes,
        ...reportRoutes,
        ...ticketReportRoutes,
        ...ticketRoutes,
        ...visitorRoutes(ctx),
        ...visitorChatRoutes(ctx),
      ],
    });
  },
};
