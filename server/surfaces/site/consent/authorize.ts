import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import {
  type AuthorizationRequest,
  type CheckedRequest,
  checkRequest,
  findRequester,
  issueCode,
  UnsafeRequestError,
} from '#server/domain/accounts/oauth/authorize.ts';
import { DomainError } from '#server/domain/errors.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { type IdentifiedAgent, identifySession } from '#server/domain/support/agents/sign-in/identify.ts';
import { endSession } from '#server/domain/support/agents/sign-in/sessions.ts';
import { parseForm } from '#server/http/forms.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';
import { PAGE_HEADERS } from '#server/http/security-headers.ts';
import { clearSession, isFromOwnPage, readSession } from '#server/http/session-cookie.ts';
import { decodeUtf8 } from '#server/http/strict-json.ts';
import { renderQuestion, renderSignIn } from './consent-pages.ts';
import { createConsentSignIn } from './consent-sign-in.ts';

const URL_PATH = '/oauth/authorize';
/** Stops redirect loops of misbehaving apps. */
const PER_CONSENT = { perSecond: 1 / 10, burst: 3 };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const readRequest = (query: Record<string, unknown>): AuthorizationRequest & { state: string } => ({
  clientId: textOf(query.client_id),
  redirectUri: textOf(query.redirect_uri),
  responseType: textOf(query.response_type),
  scope: textOf(query.scope) || undefined,
  codeChallenge: textOf(query.code_challenge) || undefined,
  codeChallengeMethod: textOf(query.code_challenge_method) || undefined,
  state: textOf(query.state),
});

/** Browsers apply `form-action` also to the redirect after a form submission. */
const headersFor = (redirectUri: string) => ({
  ...PAGE_HEADERS,
  'content-security-policy': PAGE_HEADERS['content-security-policy'].replace(
    "form-action 'self'",
    `form-action 'self' ${new URL(redirectUri).origin}`,
  ),
  'x-frame-options': 'DENY',
});

const redirectBack = (reply: FastifyReply, redirectUri: string, answer: Record<string, string>): FastifyReply => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== '') url.searchParams.set(name, value);
  return reply.redirect(url.href, 303);
};

/** The OAuth consent page. */
export const addAuthorize = (app: FastifyInstance, ctx: Context): void => {
  const limit = createRateLimiter(PER_CONSENT, ctx.config.rateLimits);
  const { database, services } = ctx;
  const enter = createConsentSignIn(ctx);

  const findSession = async (
    request: FastifyRequest,
    organizationId: string,
  ): Promise<(IdentifiedAgent & { secret: string }) | undefined> => {
    const secret = readSession(request);
    if (secret === undefined) return undefined;
    const agent = await identifySession(database, services, secret).catch(() => undefined);
    return agent?.organizationId === organizationId ? { ...agent, secret } : undefined;
  };

  /** Binds the decision to this browser's session and to the requested parameters. */
  const ticketText = (secret: string, request: FastifyRequest): string =>
    `consent ${services.secrets.hash(secret).toString('hex')} ${request.url.split('?')[1] ?? ''}`;

  const showConsent = async (
    request: FastifyRequest,
    reply: FastifyReply,
    checked: CheckedRequest,
  ): Promise<string> => {
    reply.headers(headersFor(checked.redirectUri));
    const session = await findSession(request, checked.organizationId);
    if (!session) return renderSignIn(checked.clientName, { login: '' });
    const { name } = await database.kysely
      .selectFrom('organizations')
      .where('id', '=', checked.organizationId)
      .select('name')
      .executeTakeFirstOrThrow();
    return renderQuestion({
      ...{ clientName: checked.clientName, organizationName: name, login: session.actor.id, scopes: checked.scopes },
      redirectHost: new URL(checked.redirectUri).host,
      ticket: services.secrets.sign(ticketText(session.secret, request)),
    });
  };

  const decide = async (
    request: FastifyRequest,
    reply: FastifyReply,
    checked: CheckedRequest,
    state: string,
    form: Record<string, unknown>,
  ): Promise<unknown> => {
    const session = await findSession(request, checked.organizationId);
    if (!session || !services.secrets.isSigned(ticketText(session.secret, request), textOf(form.ticket)))
      throw new DomainError('validation', 'This form has expired. Go back and try again.');
    if (form.decision === 'sign_out') {
      await endSession(database, services, session.secret);
      clearSession(reply);
      return reply.redirect(request.url, 303);
    }
    if (form.decision !== 'allow')
      return redirectBack(reply, checked.redirectUri, { oauth_exception: 'access_denied', state });
    const { organizationId, actor } = session;
    try {
      limit(`${checked.clientId} ${actor.id}`);
    } catch {
      const exception = { oauth_exception: 'temporarily_unavailable', exception_details: 'too_many_redirects' };
      return redirectBack(reply, checked.redirectUri, { ...exception, state });
    }
    const code = await issueCode(openOrganizationScope(services, actor, organizationId), checked);
    return redirectBack(reply, checked.redirectUri, { code, state });
  };

  /** Errors are returned to a known app; for an unknown one a page is shown, because its redirect URL cannot be trusted. */
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<CheckedRequest | undefined> => {
    const requested = readRequest(request.query as Record<string, unknown>);
    try {
      return await checkRequest(database, requested);
    } catch (error) {
      if (!(error instanceof DomainError) || !['validation', 'forbidden'].includes(error.code)) throw error;
      if (error instanceof UnsafeRequestError) throw error;
      await findRequester(database, requested);
      const exception = error.code === 'forbidden' ? 'access_denied' : 'invalid_request';
      const answer = { oauth_exception: exception, exception_details: error.message, state: requested.state };
      redirectBack(reply, requested.redirectUri, answer);
      return undefined;
    }
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => parseForm(decodeUtf8(body)),
  );
  app.get(URL_PATH, async (request, reply) => {
    const checked = await check(request, reply);
    return checked ? showConsent(request, reply, checked) : reply;
  });
  app.post(URL_PATH, async (request, reply) => {
    if (!isFromOwnPage(request, ctx.publicUrl()))
      throw new DomainError('validation', 'This form was submitted from another site.');
    const checked = await check(request, reply);
    if (!checked) return reply;
    const form = (request.body ?? {}) as Record<string, unknown>;
    if (form.decision === 'sign_in' || form.decision === 'code')
      return enter(request, reply, checked, { headers: headersFor(checked.redirectUri), form });
    return decide(request, reply, checked, textOf((request.query as Record<string, unknown>).state), form);
  });
};
