import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Offers each request to `answer` before Fastify sees it. Requests that it does not answer take the normal path. */
export const respondEarly = (
  server: Server,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
): void => {
  const [usual] = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!answer(request, response)) usual!(request, response);
  });
};
