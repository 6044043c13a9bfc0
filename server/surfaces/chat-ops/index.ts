import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { agentRoutes } from './agents.ts';
import { authenticateAgent, challenge } from './auth.ts';
import { chatRoutes } from './chats.ts';
import { writeChatOpsError } from './errors.ts';
import { answerJsonp } from './jsonp.ts';

/** An account's back office. Its paths stand at the root, so whatever nobody else owns is answered in its dialect. */
export const chatOpsSurface: Surface = {
  contract: chatOpsContract,
  owns: () => true,
  writeError: writeChatOpsError,
  register: (app, ctx) => {
    challenge(app);
    answerJsonp(app);
    openSurface(app, ctx, chatOpsSurface, {
      bodies: 'form-or-json',
      authenticate: authenticateAgent(ctx),
      routes: [...agentRoutes, ...chatRoutes],
    });
  },
};
