import type { Web } from '#server/ports/web/web.ts';

/** Responds to every URL with the same page. */
export const staticWeb: Web = {
  request: async ({ url }) => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<title>A page</title>'),
    truncated: false,
    url,
  }),
  close: () => {},
};
