import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getTrackingScript } from '#contracts/tracking/index.ts';
import { type Route, route } from '#server/http/route.ts';

const REMARK = /^\s*\/\/.*$/gm;
/** A string literal, which is kept, or a punctuation mark with the whitespace around it. */
const STRING_OR_PUNCTUATION = /('[^']*'|`[^`]*`)|\s*([{}()[\],;:?=<>&|!]|\n)\s*/g;

/**
 * Removes whitespace and comments. Every statement of the script ends with a semicolon, so line breaks have no meaning.
 */
const minify = (source: string): string =>
  source
    .replace(REMARK, '')
    .replace(STRING_OR_PUNCTUATION, (_, text?: string, sign = '') => text ?? sign.trim())
    .replaceAll(/,(?=[}\])])|;(?=})/g, '');

const script = minify(readFileSync(new URL('./tracking.js', import.meta.url), 'utf8'));
const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 16)}"`;

const ONE_HOUR = 'public, max-age=3600';

export const scriptRoutes: Route<undefined>[] = [
  route<undefined>()(getTrackingScript, ({ request, reply }) => {
    reply.headers({ 'cache-control': ONE_HOUR, etag });
    if (request.headers['if-none-match'] === etag) return void reply.code(304).send();
    reply.type('text/javascript; charset=utf-8').send(script);
  }),
];
