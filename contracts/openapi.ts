import type { TObject, TSchema } from 'typebox';
import { mergeOperations } from './merge-operations.ts';
import type { Operation, SecurityScheme, SurfaceContract } from './operation.ts';

/** The part of JSON Schema that the contracts use. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  description?: string;
  schema: Schema;
}

/** By content type; the contracts use one each. */
type Content = Record<string, { schema: Schema }>;

export interface ApiResponse {
  description: string;
  content?: Content;
}

export interface OperationEntry {
  operationId: string;
  tags?: string[];
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ApiResponse | { $ref: string }>;
  security?: [];
}

export interface OpenApi {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: Record<string, []>[];
  tags?: { name: string }[];
  paths: Record<string, Record<string, OperationEntry>>;
  components: {
    schemas: { Error: Schema };
    responses: Record<string, ApiResponse>;
    securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

const asJson = (schema: TSchema): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

const contentOf = (schema: Schema): Content => ({ 'application/json': { schema } });

const BYTES: Schema = { type: 'string', format: 'binary' };

const UPLOAD: Content = {
  'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: BYTES } } },
};

const DOWNLOAD: Content = { '*/*': { schema: BYTES } };

export const schemaOf = (content: Content | undefined): Schema | undefined => Object.values(content ?? {})[0]?.schema;

const bodyOf = ({ body, upload }: Operation): Content | undefined =>
  upload ? UPLOAD : body && contentOf(asJson(body));

const parameters = (schema: TObject | undefined, place: 'query' | 'path'): Parameter[] =>
  Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = asJson(property as TSchema);
    return {
      name: rest.type === 'array' && place === 'query' ? `${name}[]` : name,
      in: place,
      required: place === 'path' || (schema?.required as string[] | undefined)?.includes(name) === true,
      ...(description ? { description } : {}),
      schema: rest,
    };
  });

const statusDescriptions: Record<number, string> = {
  206: 'Partial content',
  304: 'Not modified',
  400: 'Bad request: a parameter is missing or invalid.',
  401: 'The credential is missing, invalid or expired.',
  402: 'The license has expired.',
  403: 'Forbidden.',
  404: 'Not found.',
  405: 'Method not allowed.',
  408: 'Request timed out.',
  409: 'Conflict with existing data.',
  413: 'Payload too large.',
  416: 'Range not satisfiable',
  421: 'Misdirected request: wrong region.',
  422: 'Valid request that is not possible in the current state.',
  429: 'Too many requests.',
  500: 'Internal server error.',
  503: 'Temporarily unavailable.',
  507: 'The server has no space left for files.',
};

const errorName = (status: number): string => `Error${status}`;

const errorsOf = (surface: SurfaceContract, operation: Operation): number[] =>
  [...new Set([...(operation.errors ?? []), ...surface.errors])].filter(
    (status) => !(operation.public && status === 401),
  );

const describeOperation = (surface: SurfaceContract, operation: Operation, tag: string | undefined): OperationEntry => {
  const responses: OperationEntry['responses'] = {};
  for (const [status, schema] of Object.entries(operation.responses)) {
    responses[status] = {
      description:
        (schema as { description?: string } | null)?.description ?? statusDescriptions[Number(status)] ?? 'Success',
      ...(schema
        ? { content: contentOf(asJson(schema)) }
        : operation.download && Number(status) < 300
          ? { content: DOWNLOAD }
          : {}),
    };
  }
  for (const status of errorsOf(surface, operation)) {
    responses[status] = { $ref: `#/components/responses/${errorName(status)}` };
  }
  const content = bodyOf(operation);
  return {
    operationId: operation.name,
    ...(tag === undefined ? {} : { tags: [tag] }),
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    parameters: [...parameters(operation.params, 'path'), ...parameters(operation.query, 'query')],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses,
    ...(operation.public ? { security: [] } : {}),
  };
};

const segments = (operation: Operation): string[] => operation.path.split('/').slice(1);

/**
 * The resource of an operation: the first part of its path that is not common to all operations. There are no tags if
 * each would hold one operation, as with `/action/<operation>`.
 */
const tagsOf = (operations: readonly Operation[]): Map<Operation, string> => {
  const first = segments(operations[0]!);
  const differs = first.findIndex((part, at) => operations.some((one) => segments(one)[at] !== part));
  const shared = differs === -1 ? first.length : differs;
  const noun = (parts: string[]): string =>
    parts.slice(shared).find((part) => !part.startsWith(':')) ?? parts[shared - 1]!;
  const tags = new Map(operations.map((one) => [one, noun(segments(one))]));
  return new Set(tags.values()).size === operations.length ? new Map() : tags;
};

/** The OpenAPI 3.1 document of one surface. */
export const toOpenApi = (surface: SurfaceContract): OpenApi => {
  const error = { $ref: '#/components/schemas/Error' };
  const operations = mergeOperations(surface.operations);
  const tags = tagsOf(operations);
  const paths: OpenApi['paths'] = {};
  const failures = new Set<number>();
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = describeOperation(surface, operation, tags.get(operation));
    for (const status of errorsOf(surface, operation)) failures.add(status);
  }
  return {
    openapi: '3.1.0',
    info: { title: surface.title, version: surface.version, description: surface.description },
    servers: [{ url: '/' }],
    security: Object.keys(surface.security).map((name) => ({ [name]: [] })),
    ...(tags.size > 0 ? { tags: [...new Set(tags.values())].map((name) => ({ name })) } : {}),
    paths,
    components: {
      schemas: { Error: asJson(surface.error) },
      responses: Object.fromEntries(
        [...failures]
          .sort((one, other) => one - other)
          .map((status) => [
            errorName(status),
            { description: statusDescriptions[status] ?? 'Error', content: contentOf(error) },
          ]),
      ),
      securitySchemes: surface.security,
    },
  };
};
