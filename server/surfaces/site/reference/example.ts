import type { OpenApi, OperationEntry, Schema } from '#contracts/openapi.ts';

const byFormat: Record<string, unknown> = {
  'date-time': '2026-11-15T12:30:00.123000Z',
  date: '2026-11-15',
  email: 'someone@example.com',
  uri: 'https://example.com/',
};

/** A minimal example: required fields only, with field names as placeholder texts. */
const sampleOf = (schema: Schema, name: string): unknown => {
  const sample = schema.const ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (sample !== undefined) return sample;
  const variant = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (variant) return sampleOf(variant, name);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sampleOf(schema.properties?.[key] ?? {}, key)]),
      );
    case 'array':
      return schema.items ? [sampleOf(schema.items, name)] : [];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return byFormat[schema.format ?? ''] ?? name.toUpperCase();
  }
};

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const credential = (document: OpenApi, operation: OperationEntry): string[] => {
  const scheme = Object.values(document.components.securitySchemes)[0];
  if (operation.security || !scheme) return [];
  return scheme.scheme === 'basic' ? [`-u ${quote('LOGIN:API_KEY')}`] : [`-H ${quote('Authorization: Bearer TOKEN')}`];
};

const addressOf = (base: string, path: string, { parameters }: OperationEntry): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleOf(schema, name.replace('[]', ''))))}`);
  return `${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
};

/** An example request; placeholders are in capitals. */
export const curlExample = (
  document: OpenApi,
  base: string,
  method: string,
  path: string,
  operation: OperationEntry,
) => {
  const { 'application/json': json, 'multipart/form-data': form } = operation.requestBody?.content ?? {};
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quote(addressOf(base, path, operation))}`,
    ...credential(document, operation),
    ...(json
      ? [`-H ${quote('Content-Type: application/json')}`, `-d ${quote(JSON.stringify(sampleOf(json.schema, 'body')))}`]
      : []),
    ...(form ? [`-F ${quote('file=@FILE')}`] : []),
  ].join(' \\\n  ');
};
