import type { TObject, TSchema } from 'typebox';
import type { Operation, SurfaceContract } from './operation.ts';

type Json = Record<string, unknown>;

const asJson = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;

const parameters = (schema: TObject | undefined, place: 'query' | 'path'): Json[] =>
  Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const json = asJson(property as TSchema);
    const { description, ...rest } = json;
    const isArray = rest.type === 'array';
    return {
      name: isArray && place === 'query' ? `${name}[]` : name,
      in: place,
      required: place === 'path' || (schema?.required as string[] | undefined)?.includes(name) === true,
      ...(description ? { description } : {}),
      schema: rest,
    };
  });

const errorMeaning: Record<number, string> = {
  400: 'The request is not understood: a parameter is missing or wrong.',
  401: 'The credential is missing, wrong or expired.',
  402: 'The licence has expired.',
  403: 'Not allowed.',
  404: 'Not found.',
  405: 'The path exists, the method does not.',
  408: 'Timed out.',
  409: 'In conflict with what exists.',
  413: 'Too large.',
  421: 'Sent to the wrong region.',
  422: 'Understood, but impossible in the present state.',
  429: 'Too many requests.',
  500: 'An error of ours.',
  503: 'Temporarily not available.',
};

const describeOperation = (surface: SurfaceContract, operation: Operation): Json => {
  const responses: Json = {};
  for (const [status, schema] of Object.entries(operation.responses)) {
    responses[status] = {
      description: (schema as { description?: string } | null)?.description ?? 'Success',
      ...(schema ? { content: { 'application/json': { schema: asJson(schema) } } } : {}),
    };
  }
  for (const status of new Set([...(operation.errors ?? []), ...surface.errors])) {
    if (operation.public && status === 401) continue;
    responses[status] = {
      description: errorMeaning[status] ?? 'Error',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    parameters: [...parameters(operation.params, 'path'), ...parameters(operation.query, 'query')],
    ...(operation.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: asJson(operation.body) } } } }
      : {}),
    responses,
    ...(operation.public ? { security: [] } : {}),
  };
};

/** The OpenAPI 3.1 document of one surface. */
export const toOpenApi = (surface: SurfaceContract): Json => {
  const paths: Record<string, Json> = {};
  for (const operation of surface.operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = describeOperation(surface, operation);
  }
  return {
    openapi: '3.1.0',
    info: { title: surface.title, version: surface.version, description: surface.description },
    servers: [{ url: '/' }],
    security: Object.keys(surface.security).map((name) => ({ [name]: [] })),
    paths,
    components: { schemas: { Error: asJson(surface.error) }, securitySchemes: surface.security },
  };
};
