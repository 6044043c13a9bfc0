import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toOpenApi } from '#contracts/openapi.ts';
import type { SurfaceContract } from '#contracts/operation.ts';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { parseForm } from '#server/http/forms.ts';
import { databaseAnswers } from '#server/http/health.ts';
import { isOwnHost } from '#server/http/own-host.ts';
import { PAGE_HEADERS } from '#server/http/security-headers.ts';
import { decodeUtf8 } from '#server/http/strict-json.ts';
import { addAuthorize } from './consent/authorize.ts';
import { HTML, rejectWrites, sendErrorPage } from './layout/error-page.ts';
import { addExperts } from './marketplace/experts.ts';
import { addActivate } from './pages/activate.ts';
import { addApps } from './pages/apps.ts';
import { addDemo } from './pages/demo.ts';
import { renderMail, renderMails } from './pages/dev-mail.ts';
import { renderHome } from './pages/home.ts';
import { addProducts } from './pages/products.ts';
import { addRateTicket } from './pages/rate-ticket.ts';
import { addSandboxPayments } from './pages/sandbox-payments.ts';
import { addVerifyEmail } from './pages/verify-email.ts';
import { renderReference } from './reference/reference.ts';

const readText = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const { version } = JSON.parse(readText('../../../package.json')) as { version: string };

const FIVE_MINUTES = 'public, max-age=300';
type Handler = (request: FastifyRequest<{ Params: Record<string, string> }>, reply: FastifyReply) => Promise<string>;

const addPages = (app: FastifyInstance, pages: Record<string, Handler>): void => {
  for (const [url, handler] of Object.entries(pages)) {
    app.get<{ Params: Record<string, string> }>(url, handler);
    rejectWrites(app, url);
  }
};

/** Public pages, API reference and the built apps. */
export const addSite = (app: FastifyInstance, ctx: Context, contracts: readonly SurfaceContract[]): void => {
  const documents = new Map(contracts.map((contract) => [contract.name, toOpenApi(contract)]));
  const css = readText('./layout/site.css');
  const outbox = ctx.config.development ? ctx.ports.outbox : undefined;
  const rendered = new Map<string, string>();

  const documentOf = ({ surface }: Record<string, string>) => {
    const document = documents.get(surface!);
    if (!document) throw new DomainError('not_found', 'API not found.');
    return document;
  };

  /** The mails contain sign-in links. */
  const outboxFor = ({ headers }: Pick<FastifyRequest, 'headers'>) => {
    if (!outbox || !isOwnHost(headers.host, ctx.publicUrl())) throw new DomainError('not_found', 'Page not found.');
    return outbox;
  };

  app.setErrorHandler(sendErrorPage);
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(PAGE_HEADERS).type(HTML);
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => parseForm(decodeUtf8(body)),
  );
  addVerifyEmail(app, ctx);
  void app.register(async (scope) => addAuthorize(scope, ctx));
  addApps(app, ctx);
  addDemo(app, ctx);
  addActivate(app, ctx);
  addRateTicket(app, ctx);
  addProducts(app, ctx);
  addExperts(app, ctx);
  addSandboxPayments(app, ctx);
  addPages(app, {
    '/': async () =>
      renderHome({
        version,
        region: ctx.config.region,
        url: ctx.publicUrl(),
        ready: !ctx.stopping && (await databaseAnswers(ctx)),
        demo: ctx.config.demo,
        signUp: ctx.config.signUp !== 'closed',
        mail: outbox !== undefined,
        contracts,
      }),
    '/site.css': async (_, reply) => {
      reply.header('cache-control', FIVE_MINUTES).type('text/css; charset=utf-8');
      return css;
    },
    '/docs/:surface': async ({ params }, reply) => {
      const document = documentOf(params);
      const base = ctx.publicUrl();
      // The base URL is known only once the server listens, so pages are rendered on first request.
      const key = `${params.surface} ${base}`;
      const page = rendered.get(key) ?? renderReference(params.surface!, document, base);
      rendered.set(key, page);
      reply.header('cache-control', FIVE_MINUTES);
      return page;
    },
    '/docs/:surface/openapi.json': async ({ params }, reply) => {
      const document = documentOf(params);
      reply.header('cache-control', FIVE_MINUTES).type('application/json; charset=utf-8');
      return JSON.stringify(document, null, 2);
    },
    '/docs/*': async () => {
      throw new DomainError('not_found', 'Page not found.');
    },
    '/dev/mail': async (request) => renderMails(await outboxFor(request).list()),
    '/dev/mail/:id': async (request) => {
      const mail = await outboxFor(request).read(request.params.id!);
      if (!mail) throw new DomainError('not_found', 'Page not found.');
      return renderMail(mail);
    },
  });
};
