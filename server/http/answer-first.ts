import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Shows each request to `answer` before the application sees it. Those that it does not answer go their usual way. */
export const answerFirst = (
  server: Server,
  answer: (request: IncomingMessage, response: ServerResponse) => boolean,
): void => {
  const [usual] = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!answer(request, response)) usual!(request, response);
  });
};
