import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { EMBEDDABLE } from '#server/http/security-headers.ts';
import { rejectWrites } from '../layout/error-page.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};
const FOREVER = 'public, max-age=31536000, immutable';
/** For files whose URL does not change with a release. */
const SHORT_CACHE = 'public, max-age=300';
const LOADER = 'widget.js';
/** Placeholder in the built page for the nonce of each response. */
const NONCE = '__NONCE__';

interface BuiltFile {
  type: string;
  etag: string;
  plain: Buffer;
  compressed: Partial<Record<'br' | 'gzip', Buffer>>;
}

const readIfExists = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);

/** All files of a build by their relative path. */
const readBuilt = (folder: string): Map<string, BuiltFile> => {
  const files = new Map<string, BuiltFile>();
  if (!existsSync(folder)) return files;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)];
    if (!type) continue;
    const path = join(folder, name);
    const plain = readFileSync(path);
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    const [br, gzip] = [readIfExists(`${path}.br`), readIfExists(`${path}.gz`)];
    files.set(name.replaceAll('\\', '/'), {
      ...{ type, etag, plain },
      compressed: { ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) },
    });
  }
  return files;
};

const chooseEncoding = (file: BuiltFile, request: FastifyRequest): 'br' | 'gzip' | undefined => {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return (['br', 'gzip'] as const).find((name) => file.compressed[name] && new RegExp(`\\b${name}\\b`).test(accepted));
};

const sendFile = (request: FastifyRequest, reply: FastifyReply, file: BuiltFile, caching: string): FastifyReply => {
  reply.header('cache-control', caching).header('etag', file.etag).header('vary', 'accept-encoding').type(file.type);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const compressed = chooseEncoding(file, request);
  if (compressed) reply.header('content-encoding', compressed);
  return reply.send(compressed ? file.compressed[compressed] : file.plain);
};

/** Scripts only from our own files. Users' images may come from anywhere. */
const consolePolicy = (sockets: readonly string[], nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self' ${sockets.join(' ')}`,
    "manifest-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');

const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/** Some browsers do not count sockets to the page's host as `'self'`, and the server may be reached under another host name. */
const socketOrigins = (ownUrl: string, host: string | undefined): string[] => {
  const { protocol, host: ownHost } = new URL(ownUrl.replace(/^http/, 'ws'));
  const hosts = new Set([ownHost, ...(host !== undefined && HOST.test(host) ? [host] : [])]);
  return [...hosts].map((name) => `${protocol}//${name}`);
};

/** Serves the console and the widget as built by `scripts/build-apps.mjs`. */
export const addApps = (app: FastifyInstance, ctx: Context): void => {
  const dist = fileURLToPath(new URL('../../../../dist/', import.meta.url));
  const built = { console: readBuilt(join(dist, 'console')), widget: readBuilt(join(dist, 'widget')) };

  const sendConsolePage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const page = built.console.get('index.html');
    if (!page) throw new DomainError('unavailable', 'The console has not been built. Run "npm start" to build it.');
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', consolePolicy(socketOrigins(ctx.publicUrl(), request.headers.host), nonce))
      .header('cache-control', 'no-store')
      .type(page.type)
      .send(page.plain.toString('utf8').replaceAll(NONCE, nonce));
  };

  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    const path = request.params['*'];
    const file = path === 'index.html' ? undefined : built.console.get(path);
    if (file) return sendFile(request, reply, file, path.startsWith('assets/') ? FOREVER : SHORT_CACHE);
    if (path.startsWith('assets/')) throw new DomainError('not_found', 'File not found.');
    // The console's router handles all other paths. They may contain dots, for example in a login.
    return sendConsolePage(request, reply);
  });
  app.get('/console', async (request, reply) => sendConsolePage(request, reply));

  const sendWidget = (request: FastifyRequest, reply: FastifyReply, path: string, caching: string): FastifyReply => {
    const file = built.widget.get(path);
    if (!file) throw new DomainError('not_found', 'File not found.');
    // The widget runs on other sites.
    reply.headers(EMBEDDABLE).header('access-control-allow-origin', '*').removeHeader('content-security-policy');
    return sendFile(request, reply, file, path === LOADER ? SHORT_CACHE : caching);
  };
  app.get('/widget.js', async (request, reply) => sendWidget(request, reply, LOADER, SHORT_CACHE));
  app.get<{ Params: { '*': string } }>('/widget/*', async (request, reply) =>
    sendWidget(request, reply, request.params['*'], FOREVER),
  );
  for (const url of ['/console', '/console/*', '/widget.js', '/widget/*']) rejectWrites(app, url);
};
