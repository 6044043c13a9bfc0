import type { FastifyInstance } from 'fastify';
import { parseForm } from './forms.ts';
import { rejectLists } from './reject-coercions.ts';
import { decodeUtf8, parseStrictJson } from './strict-json.ts';
import type { BodyFormat } from './validation.ts';

/**
 * Parses the bodies of one surface. An empty body becomes an empty object, because several clients send none if all
 * fields are optional.
 */
export const useBodies = (app: FastifyInstance, format: BodyFormat): void => {
  app.removeAllContentTypeParsers();
  const read = (parse: (text: string) => unknown) => async (_: unknown, body: Buffer) =>
    body.length === 0 ? {} : parse(decodeUtf8(body));
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, read(parseStrictJson));
  if (format === 'form-or-json') {
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, read(parseForm));
  }
  // A request without a body reaches validation as an object, so that the error names the missing field.
  app.addHook('preValidation', async (request) => {
    request.body ??= {};
    const schema = request.routeOptions.schema?.body;
    if (format === 'form-or-json' && schema) rejectLists(request, schema);
  });
};

/** Browsers send JSON as `text/plain` to avoid a preflight request, so the content type is ignored. */
export const readAnyTypeAsJson = (app: FastifyInstance): void => {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    body.length === 0 ? {} : parseStrictJson(decodeUtf8(body)),
  );
};
