interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

const FLAGS = new Map<unknown, boolean>([
  ['1', true],
  ['0', false],
]);

const isFlag = ({ type, anyOf = [] }: Shape): boolean =>
  type === 'boolean' || (anyOf.some(isFlag) && anyOf.every((one) => isFlag(one) || one.type === 'null'));

/**
 * Old clients send booleans as 1 and 0, which are strings in a form that Ajv does not coerce to booleans. Ajv coerces
 * null to false, but clients send null for absent fields.
 */
export const readFlags = (shape: Shape, value: unknown): unknown => {
  if (shape.type === 'boolean' && value === null) return undefined;
  if (isFlag(shape)) return FLAGS.get(value) ?? value;
  if (Array.isArray(value)) return shape.items ? value.map((item) => readFlags(shape.items!, item)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(shape.properties ?? {})) {
    if (Object.hasOwn(fields, name)) fields[name] = readFlags(property, fields[name]);
  }
  return value;
};
