import { customerContract } from '#contracts/customer/index.ts';
import { allowAnyOrigin } from '#server/http/cors.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { writeChatError } from '#server/surfaces/chat-v3/chat-errors.ts';
import { rejectOtherVersions } from '#server/surfaces/chat-v3/chat-versions.ts';
import { acceptUploadForms } from '#server/surfaces/chat-v3/upload-file.ts';
import { authenticateCustomer, openCustomerGate } from './auth.ts';
import { chatActions } from './chats.ts';
import { configurationActions, configurationRoutes, dynamicConfigurationActions } from './configuration.ts';
import { customerActions } from './customers.ts';
import { eventActions } from './events.ts';
import { fileActions, fileRoutes } from './files.ts';
import { formActions } from './forms.ts';
import { goalActions } from './goals.ts';
import { greetingActions } from './greetings.ts';
import { groupActions } from './groups.ts';
import { pageActions } from './pages.ts';
import { propertyActions } from './properties.ts';
import { createCustomerQuotas } from './quotas.ts';
import { customerEndpoint } from './socket.ts';
import { threadActions } from './threads.ts';
import { addUrlImages, urlInfoActions } from './url-info.ts';
import { openVisitorScope } from './visitors.ts';

/** Available over HTTP and sockets. */
const actions = [
  ...threadActions,
  ...customerActions,
  ...propertyActions,
  ...dynamicConfigurationActions,
  ...formActions,
  ...groupActions,
  ...goalActions,
  ...greetingActions,
];

/** The widget and customers' apps: `/v3.5/customer/action/*` and `/v3.5/customer/rtm/ws`. */
export const customerSurface: Surface = {
  contract: customerContract,
  owns: (path) => /^\/v[\w.]+\/customer\/(action|rtm)\b/.test(path),
  writeError: writeChatError,
  register: (app, ctx) => {
    allowAnyOrigin(app, '/v3.5/customer/action/*');
    const gate = openCustomerGate(ctx);
    const quotas = createCustomerQuotas(ctx);
    const all = [...actions, ...chatActions(quotas), ...eventActions(quotas), ...urlInfoActions(ctx)];
    const authenticate = authenticateCustomer(gate);
    openSurface(app, ctx, customerSurface, {
      bodies: 'json',
      authenticate,
      openScope: openVisitorScope(ctx, authenticate),
      routes: [...all, ...configurationRoutes, ...fileRoutes(ctx, quotas)],
    });
    acceptUploadForms(app);
    rejectOtherVersions(app, 'customer');
    addUrlImages(app, ctx.ports);
    app.sockets.add(customerEndpoint(ctx, gate, [...all, ...configurationActions, ...fileActions, ...pageActions]));
  },
};
