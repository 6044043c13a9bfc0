import type { Web } from '#server/ports/web/web.ts';

/** A web where every address shows the same page. */
export const onePageWeb: Web = {
  request: async ({ url }) => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<title>A page</title>'),
    truncated: false,
    url,
  }),
  close: () => {},
};
