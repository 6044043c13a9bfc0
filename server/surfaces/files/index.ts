import { filesContract } from '#contracts/files/index.ts';
import { allowAnyOrigin } from '#server/http/cors.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { writeChatError } from '#server/surfaces/chat-v3/chat-errors.ts';
import { downloadRoutes } from './downloads.ts';

/** Uploaded files, readable by anyone who knows the URL. */
export const filesSurface: Surface = {
  contract: filesContract,
  owns: (path) => path.startsWith('/files/'),
  writeError: writeChatError,
  register: (app, ctx) => {
    allowAnyOrigin(app, '/files/*');
    openSurface(app, ctx, filesSurface, {
      bodies: 'json',
      authenticate: () => undefined,
      routes: downloadRoutes(ctx),
    });
  },
};
