import type { FastifyRequest } from 'fastify';
import { type FieldError, invalid } from '#server/domain/errors.ts';

interface Shape {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

const NUMBERS = ['number', 'integer'];
const SINGLE = [...NUMBERS, 'string', 'boolean'];
/** Ajv coerces everything that JavaScript converts to a number, for example `0x10` and `1e3`. */
const PLAIN_NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/;

type IsForeign = (shape: Shape, value: unknown) => boolean;

/**
 * Finds the first value, at any depth, that Ajv would coerce but that the caller cannot have meant. With several
 * alternatives, one must accept the value.
 */
const find = (shape: Shape, value: unknown, field: string, isForeign: IsForeign): FieldError | undefined => {
  const { type, properties = {}, items, anyOf } = shape;
  const inside = (name: string): string => (field === '' ? name : `${field}.${name}`);
  if (anyOf) {
    const problems = anyOf.map((one) => find(one, value, field, isForeign));
    return problems.every(Boolean) ? problems[0] : undefined;
  }
  if (isForeign(shape, value)) return { field, message: `must be ${type}` };
  if (typeof value !== 'object' || value === null) return;
  const parts: [Shape | undefined, unknown, string][] = Array.isArray(value)
    ? value.map((item, index) => [items, item, inside(String(index))])
    : Object.entries(value).map(([name, item]) => [
        Object.hasOwn(properties, name) ? properties[name] : undefined,
        item,
        inside(name),
      ]);
  for (const [part, item, path] of parts) {
    const problem = part && find(part, item, path, isForeign);
    if (problem) return problem;
  }
};

/** A boolean is accepted only for a number that is a flag, and text only in plain decimal notation. */
export const findCoercedNumber = (shape: object, value: unknown): FieldError | undefined =>
  find(shape, value, '', ({ type = '', enum: allowed }, item) => {
    if (!NUMBERS.includes(type)) return false;
    return typeof item === 'boolean' ? !allowed : typeof item === 'string' && !PLAIN_NUMBER.test(item);
  });

/** A form cannot distinguish a single value from a list of one, so it may be either. In JSON a list is a list. */
export const rejectLists = ({ headers, body }: FastifyRequest, shape: object): void => {
  if (!headers['content-type']?.toLowerCase().startsWith('application/json')) return;
  const problem = find(shape, body, '', ({ type = '' }, item) => SINGLE.includes(type) && Array.isArray(item));
  if (problem) throw invalid(problem.field, problem.message);
};
