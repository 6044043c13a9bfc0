import type { FastifyInstance } from 'fastify';
import { refuseLists } from './foreign-values.ts';
import { parseForm } from './forms.ts';
import { decodeUtf8, parseStrictJson } from './strict-json.ts';
import type { BodyDialect } from './validation.ts';

/** Reads the bodies of one surface. An empty body is an empty object: several clients send none where all fields are optional. */
export const useBodies = (app: FastifyInstance, dialect: BodyDialect): void => {
  app.removeAllContentTypeParsers();
  const read = (parse: (text: string) => unknown) => async (_: unknown, body: Buffer) =>
    body.length === 0 ? {} : parse(decodeUtf8(body));
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, read(parseStrictJson));
  if (dialect === 'form-or-json') {
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, read(parseForm));
  }
  // A request without a body still reaches validation as an object, so that a missing field is what gets reported.
  app.addHook('preValidation', async (request) => {
    request.body ??= {};
    const schema = request.routeOptions.schema?.body;
    if (dialect === 'form-or-json' && schema) refuseLists(request, schema);
  });
};

/** Browsers avoid a preflight by sending JSON as `text/plain`; where that is usual, the content type says nothing. */
export const readAnyTypeAsJson = (app: FastifyInstance): void => {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    body.length === 0 ? {} : parseStrictJson(decodeUtf8(body)),
  );
};
