import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import type { CheckedRequest } from '#server/domain/accounts/oauth/authorize.ts';
import { DomainError } from '#server/domain/errors.ts';
import {
  endPreviousSession,
  SESSION_SECONDS,
  type StartedSession,
} from '#server/domain/support/agents/sign-in/sessions.ts';
import {
  checkPassword,
  completeSignIn,
  readTicket,
  signInWithCode,
} from '#server/domain/support/agents/sign-in/sign-in.ts';
import { readBrowser } from '#server/http/browser.ts';
import { writeKnownDevice } from '#server/http/known-device.ts';
import { logFailedSignIn } from '#server/http/log-failed-sign-in.ts';
import { readSession, writeSession } from '#server/http/session-cookie.ts';
import { renderCode, renderSignIn } from './consent-pages.ts';

/** A new session, or the page of the next step. */
type Outcome = StartedSession | { page: string };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Signs an agent in before consent: password, then a code if two-step verification is on. */
export const createConsentSignIn = (ctx: Context) => {
  const { database, services } = ctx;

  const enterPassword = async (
    request: FastifyRequest,
    { clientName, organizationId }: CheckedRequest,
    form: Record<string, unknown>,
  ): Promise<Outcome> => {
    const login = textOf(form.login);
    const entered = await logFailedSignIn(request, login, async () => {
      const refund = await ctx.signInLimits.passwords(request, login);
      const [account] = await checkPassword(database, { login, password: textOf(form.password), organizationId });
      await refund();
      return completeSignIn(services, account, readBrowser(request.headers, request.ip));
    });
    return 'ticket' in entered ? { page: renderCode(clientName, entered) } : entered;
  };

  const checkCode = async (request: FastifyRequest, form: Record<string, unknown>): Promise<Outcome> => {
    const account = await readTicket(database, services, textOf(form.ticket));
    return logFailedSignIn(request, account.login, async () => {
      const refund = await ctx.signInLimits.codes(request, account);
      const browser = readBrowser(request.headers, request.ip);
      const entered = await signInWithCode(services, account, { code: textOf(form.code), browser });
      await refund();
      return entered;
    });
  };

  /** With a valid ticket the code can be entered again; otherwise sign-in starts over. */
  const explain = async (clientName: string, form: Record<string, unknown>, error: string): Promise<string> => {
    const ticket = textOf(form.ticket);
    const isGood = ticket !== '' && (await readTicket(database, services, ticket).catch(() => undefined));
    return isGood
      ? renderCode(clientName, { ticket, error })
      : renderSignIn(clientName, { login: textOf(form.login), error });
  };

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    checked: CheckedRequest,
    { headers, form }: { headers: Record<string, string>; form: Record<string, unknown> },
  ): Promise<FastifyReply> => {
    try {
      const outcome = await (form.decision === 'code'
        ? checkCode(request, form)
        : enterPassword(request, checked, form));
      if ('page' in outcome) return reply.headers(headers).send(outcome.page);
      await endPreviousSession(database, services, { before: readSession(request), now: outcome });
      const tls = ctx.publicUrl().startsWith('https:');
      writeSession(reply, outcome.secret, { tls, maxAge: SESSION_SECONDS });
      writeKnownDevice(reply, { secrets: services.secrets, login: outcome.login, tls });
      return reply.redirect(request.url, 303);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'authentication') throw error;
      const page = await explain(checked.clientName, form, error.message);
      return reply.code(401).headers(headers).send(page);
    }
  };
};
