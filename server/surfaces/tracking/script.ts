import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getTrackingScript } from '#contracts/tracking/index.ts';
import { type Route, route } from '#server/http/route.ts';

/** Indentation and remarks are for people; nothing in the script spans lines. */
const script = readFileSync(new URL('./tracking.js', import.meta.url), 'utf8').replace(/^\s*(\/\/.*\n\s*)?/gm, '');
const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 16)}"`;

const ONE_HOUR = 'public, max-age=3600';

export const scriptRoutes: Route<undefined>[] = [
  route<undefined>()(getTrackingScript, ({ request, reply }) => {
    reply.headers({ 'cache-control': ONE_HOUR, etag });
    if (request.headers['if-none-match'] === etag) return void reply.code(304).send();
    reply.type('text/javascript; charset=utf-8').send(script);
  }),
];
