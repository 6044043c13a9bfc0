import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { PartnerError } from '#contracts/partner/error.ts';
import type { Context } from '#server/context.ts';
import { PAGE_HEADERS } from '#server/http/security-headers.ts';
import { HTML } from '../../layout/error-page.ts';
import { readAttribution } from '../record-landing.ts';
import type { Field, Filled } from './form.ts';
import { type Answers, type FormName, fieldsOf, renderClosed, renderDone, renderForm } from './pages.ts';

type ErrorBody = Static<typeof PartnerError>['error'];

const textsOf = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );

/** Error messages by field: the rejected ones and the empty ones. */
const errorsOf = (
  fields: readonly Field[],
  values: Record<string, string>,
  { type, details }: ErrorBody,
): Filled['errors'] => {
  const wrong = new Set(details?.map(({ field }) => field));
  return Object.fromEntries(
    fields
      .filter(({ name }) => type === 'validation' && (wrong.has(name) || !values[name]?.trim()))
      .map(({ name, invalidMessage }) => [name, invalidMessage]),
  );
};

const renderRejected = (form: FormName, config: Context['config'], body: unknown, rejection: ErrorBody): string => {
  if (config.signUp === 'closed') return renderClosed(config);
  const values = textsOf(body);
  const errors = errorsOf(fieldsOf(form, config), values, rejection);
  const message = Object.keys(errors).length > 0 ? undefined : rejection.message;
  return renderForm(form, config, { values, errors, message }, readAttribution(values));
};

/** Browsers that submit a form expect a page. */
export const wantsPage = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/.test(headers.accept ?? '');

const formOf = ({ method, routeOptions }: FastifyRequest): FormName | undefined => {
  const name = routeOptions.config.operation?.name;
  return method === 'POST' && (name === 'sign_up' || name === 'join') ? name : undefined;
};

/** The operations return JSON. Clients that accept HTML get the same result as a page. */
export const answerWithPages = (app: FastifyInstance, ctx: Context): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    const form = formOf(request);
    if (!form || typeof payload !== 'string' || !wantsPage(request)) return payload;
    reply.headers(PAGE_HEADERS).type(HTML).header('vary', 'Accept');
    const answer = JSON.parse(payload) as Answers[FormName] | { error: ErrorBody };
    return 'error' in answer
      ? renderRejected(form, ctx.config, request.body, answer.error)
      : renderDone(form, answer, ctx.publicUrl());
  });
};
