import fc from 'fast-check';

/** The subset of JSON Schema that contracts use. */
export interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
}

/** Returns values for a field by its name, instead of values generated from its schema. */
export type KnownFields = (name: string, schema: Schema) => fc.Arbitrary<unknown> | undefined;

const ODD_TEXTS = [
  ' ',
  '\u00a0',
  '0',
  'null',
  '-1',
  '../..',
  '%00',
  "' or 1=1 --",
  '<b>"&amp;</b>',
  '\u202eabc',
  'e\u0301',
  '👩‍👩‍👧‍👦',
  '\ufeff',
  '\uffff',
  '__proto__',
  '\\',
  '\n\r\t',
];

const text = ({ minLength = 0, maxLength = 100, format }: Schema): fc.Arbitrary<string> => {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'uri') return fc.webUrl();
  if (format === 'email') return fc.emailAddress();
  const fits = (value: string) => value.length >= minLength && value.length <= maxLength;
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 20) }).filter(fits),
    },
    { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS).filter(fits) },
    { weight: 1, arbitrary: fc.constantFrom('x', 'ż').map((letter) => letter.repeat(Math.min(maxLength, 20_000))) },
  );
};

/** Generates values that a schema allows, preferring unusual ones. */
export const valuesOf = (schema: Schema, knownFields: KnownFields): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, knownFields)));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case 'string':
      return text(schema);
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema;
      return fc.array(valuesOf(schema.items ?? {}, knownFields), {
        minLength: minItems,
        maxLength: Math.min(maxItems, 4),
      });
    }
    case 'object':
      return objectsOf(schema, knownFields);
    default:
      return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>;
  }
};

const objectsOf = (schema: Schema, knownFields: KnownFields): fc.Arbitrary<unknown> => {
  const [values] = Object.values(schema.patternProperties ?? {});
  if (values)
    return fc.dictionary(text({ minLength: 1, maxLength: 20 }), valuesOf(values, knownFields), { maxKeys: 3 });
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, knownFields(name, field) ?? valuesOf(field, knownFields)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: (schema.required ?? []) as never[] });
};
