import type { Schema } from '#contracts/openapi.ts';
import { html, type Markup, prose } from '../layout/html.ts';

const MAX_INT32 = 2_147_483_647;

interface Known {
  schema: Schema;
  nullable: boolean;
}

/** `T or null` is shown as T with a remark. */
const unwrap = (schema: Schema): Known => {
  const rest = schema.anyOf?.filter((one) => one.type !== 'null');
  return schema.anyOf && rest?.length === 1 && rest.length < schema.anyOf.length
    ? { schema: { ...rest[0]!, ...(schema.description ? { description: schema.description } : {}) }, nullable: true }
    : { schema, nullable: false };
};

const variantsOf = (schema: Schema): Schema[] | undefined => schema.oneOf ?? schema.anyOf;

const mapValue = (schema: Schema): Schema | undefined => Object.values(schema.patternProperties ?? {})[0];

export const nameType = (wrapped: Schema): string => {
  const { schema } = unwrap(wrapped);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `list of ${nameType(schema.items)}`;
  const value = mapValue(schema);
  if (value) return `map of ${nameType(value)}`;
  const variants = variantsOf(schema);
  if (variants) return [...new Set(variants.map(nameType))].join(' or ');
  return schema.type ?? 'anything';
};

const range = (min: number | undefined, max: number | undefined, unit = ''): string | undefined => {
  if (min !== undefined && max !== undefined) return min === max ? `exactly ${min}${unit}` : `${min} to ${max}${unit}`;
  if (max !== undefined) return `at most ${max}${unit}`;
  return min === undefined ? undefined : `at least ${min}${unit}`;
};

const limitsOf = (schema: Schema): string[] =>
  [
    schema.enum && `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum === MAX_INT32 ? undefined : schema.maximum),
    range(schema.minItems, schema.maxItems, ' items'),
    schema.format,
    schema.pattern && (schema.pattern === '\\S' ? 'not blank' : `matching ${schema.pattern}`),
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ].filter((limit) => typeof limit === 'string');

/** Type, limits and meaning of one value, in a line. */
export const describeSchema = (wrapped: Schema): Markup => {
  const { schema, nullable } = unwrap(wrapped);
  const limits = [...limitsOf(schema), ...(schema.items ? limitsOf(unwrap(schema.items).schema) : [])];
  return html`<span class="type">${nameType(schema)}${nullable && ' or null'}</span>
${limits.length > 0 && html`<span class="limits">${limits.join('; ')}</span>`}
${schema.description && html`<span class="meaning">${prose(schema.description)}</span>`}`;
};

const renderField = (name: string, schema: Schema, required: boolean): Markup => html`
<li><code class="name">${name}</code> ${required && html`<span class="required">required</span>`} ${describeSchema(schema)}
${renderFields(schema)}</li>`;

/** The constant fields that distinguish a variant, such as its `type`. */
const nameVariant = (schema: Schema, at: number): Markup => {
  const constants = Object.entries(schema.properties ?? {}).filter(([, property]) => property.const !== undefined);
  const text = constants.map(([name, property]) => `${name} ${JSON.stringify(property.const)}`).join(', ');
  return text === '' ? html`Shape ${at + 1}` : html`With <code>${text}</code>`;
};

/** The fields below a value, nested as deep as they go. */
export const renderFields = (wrapped: Schema): Markup | undefined => {
  const { schema } = unwrap(wrapped);
  if (schema.properties) {
    const { required = [] } = schema;
    const fields = Object.entries(schema.properties);
    if (fields.length === 0) return undefined;
    return html`<ul class="fields">${fields.map(([name, field]) => renderField(name, field, required.includes(name)))}</ul>`;
  }
  const inner = schema.items ?? mapValue(schema);
  if (inner) return renderFields(inner);
  const shapes = variantsOf(schema)?.filter((one) => one.properties);
  return (
    shapes &&
    html`${shapes.map((one, at) => html`<div class="variant"><p>${nameVariant(one, at)}</p>${renderFields(one)}</div>`)}`
  );
};
