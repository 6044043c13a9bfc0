import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '#server/context.ts';
import { findDemo } from '#server/domain/accounts/licenses/find-demo.ts';
import { DomainError } from '#server/domain/errors.ts';
import { openPlatformScope } from '#server/domain/scope.ts';
import { rejectWrites } from '../layout/error-page.ts';
import { renderBasket, renderProduct, renderShop, type Shop } from './demo/pages.ts';
import { products } from './demo/products.ts';

const css = readFileSync(new URL('./demo/shop.css', import.meta.url), 'utf8');

/** A strict policy, to demonstrate that the widget works with it. */
const policyFor = (ownUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(ownUrl.replace(/^http/, 'ws')).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The demo shop with the embedded widget. */
export const addDemo = (app: FastifyInstance, ctx: Context): void => {
  const platform = openPlatformScope(ctx.services, { kind: 'system' });
  const openShop = async (reply: FastifyReply): Promise<Shop> => {
    const organizationId = ctx.config.demo ? await findDemo(platform) : undefined;
    if (!organizationId) throw new DomainError('not_found', 'The demo shop is disabled.');
    reply.header('content-security-policy', policyFor(ctx.publicUrl()));
    // The widget reports the page's URL to the server.
    reply.header('referrer-policy', 'strict-origin-when-cross-origin');
    return { organizationId };
  };
  app.get('/demo', async (_, reply) => renderShop(await openShop(reply)));
  app.get('/demo/basket', async (_, reply) => renderBasket(await openShop(reply)));
  app.get<{ Params: { slug: string } }>('/demo/things/:slug', async ({ params }, reply) => {
    const product = products.find(({ slug }) => slug === params.slug);
    if (!product) throw new DomainError('not_found', 'Product not found.');
    return renderProduct(await openShop(reply), product);
  });
  app.get('/demo/shop.css', async (_, reply) => {
    reply.header('cache-control', 'public, max-age=300').type('text/css; charset=utf-8');
    return css;
  });
  for (const url of ['/demo', '/demo/basket', '/demo/things/:slug', '/demo/shop.css']) rejectWrites(app, url);
};
