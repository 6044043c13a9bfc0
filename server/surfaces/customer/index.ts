import { customerContract } from '#contracts/customer/index.ts';
import { writeChatError } from '#server/dialects/chat-errors.ts';
import { refuseOtherVersions } from '#server/dialects/chat-versions.ts';
import { allowAnyOrigin } from '#server/http/cors.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { authenticateCustomer } from './auth.ts';
import { chatRoutes } from './chats.ts';
import { eventRoutes } from './events.ts';
import { threadRoutes } from './threads.ts';

/** The widget and customers' programs: `/v3.5/customer/action/*`. */
export const customerSurface: Surface = {
  contract: customerContract,
  owns: (path) => /^\/v[\w.]+\/customer\/(action|rtm)\b/.test(path),
  writeError: writeChatError,
  register: (app, ctx) => {
    allowAnyOrigin(app, '/v3.5/customer/action/*');
    openSurface(app, ctx, customerSurface, {
      bodies: 'json',
      authenticate: authenticateCustomer(ctx),
      routes: [...chatRoutes, ...threadRoutes, ...eventRoutes],
    });
    refuseOtherVersions(app, 'customer');
  },
};
