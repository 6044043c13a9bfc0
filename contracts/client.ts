import type { BodyOf, Operation, ParamsOf, QueryOf, ResponseOf } from './operation.ts';

/** A part whose fields are all optional can be left out. */
type Part<Name extends string, T> = T extends undefined | Record<string, never>
  ? { [K in Name]?: undefined }
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

export type CallInput<O extends Operation> = Part<'params', ParamsOf<O>> &
  Part<'query', QueryOf<O>> &
  Part<'body', BodyOf<O>>;

export interface ClientOptions {
  baseUrl: string;
  headers?: Record<string, string>;
  /** Query parameters sent with every call, for example `organization_id`. */
  query?: Record<string, string>;
  fetch?: typeof fetch;
}

/** A response with a status that the contract does not declare as success. */
export class CallFailedError extends Error {
  readonly status: number;
  readonly body: unknown;
  /** The chat-ops API names invalid fields in the header `X-Invalid-Fields`, as JSON. */
  readonly invalidFields: string | null;
  constructor(operation: Operation, status: number, body: unknown, invalidFields: string | null = null) {
    super(`${operation.name} failed with ${status}: ${JSON.stringify(body)?.slice(0, 300)}`);
    this.status = status;
    this.body = body;
    this.invalidFields = invalidFields;
  }
}

const fillPath = (path: string, params: Record<string, unknown>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));

const addQuery = (url: URL, query: Record<string, unknown>): void => {
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) url.searchParams.append(Array.isArray(value) ? `${name}[]` : name, String(one));
    }
  }
};

/** A typed client for any surface: `call(operation, { params, query, body })`. */
export const createClient =
  (options: ClientOptions) =>
  async <O extends Operation>(operation: O, input: CallInput<O>): Promise<ResponseOf<O>> => {
    const url = new URL(fillPath(operation.path, (input.params ?? {}) as Record<string, unknown>), options.baseUrl);
    addQuery(url, { ...options.query, ...((input.query ?? {}) as Record<string, unknown>) });
    const response = await (options.fetch ?? fetch)(url, {
      method: operation.method,
      headers: { ...options.headers, ...(input.body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (!(response.status in operation.responses))
      throw new CallFailedError(operation, response.status, body, response.headers.get('x-invalid-fields'));
    return body as ResponseOf<O>;
  };
