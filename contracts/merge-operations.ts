import { type TObject, type TSchema, Type } from 'typebox';
import type { Operation } from './operation.ts';

const eitherOf = (schemas: TSchema[]): TSchema => (schemas.length === 1 ? schemas[0]! : Type.Union(schemas));

/** A field is required only if every operation requires it. */
const mergeFields = (operations: readonly (TObject | undefined)[]): TObject | undefined => {
  const defined = operations.filter((operation) => operation !== undefined);
  if (defined.length === 0) return undefined;
  const isRequired = (name: string) => operations.every((operation) => operation?.required?.includes(name));
  const names = new Set(defined.flatMap((operation) => Object.keys(operation.properties)));
  return Type.Object(
    Object.fromEntries(
      [...names].map((name) => {
        const field = eitherOf(defined.flatMap(({ properties }) => properties[name] ?? []));
        return [name, isRequired(name) ? field : Type.Optional(field)];
      }),
    ),
  );
};

const mergeResponses = (operations: readonly Operation[]): Operation['responses'] => {
  const byStatus = Map.groupBy(
    operations.flatMap(({ responses }) => Object.entries(responses)),
    ([status]) => status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, answers]) => {
      const schemas = answers.flatMap(([, schema]) => schema ?? []);
      return [status, schemas.length === 0 ? null : eitherOf(schemas)];
    }),
  );
};

const merge = (operations: readonly Operation[]): Operation => {
  const primary = operations.find(({ when }) => !when) ?? operations[0]!;
  const all = [primary, ...operations.filter((one) => one !== primary)];
  const bodies = all.flatMap(({ body }) => body ?? []);
  const params = mergeFields(all.map((one) => one.params));
  const query = mergeFields(all.map((one) => one.query));
  return {
    ...primary,
    description: all.map(({ description, summary }) => description ?? `${summary}.`).join('\n\n'),
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    ...(bodies.length > 0 ? { body: eitherOf(bodies) } : {}),
    responses: mergeResponses(all),
    errors: [...new Set(all.flatMap(({ errors }) => errors ?? []))],
  };
};

/** Merges operations with the same method and path, because an OpenAPI document allows only one. */
export const mergeOperations = (operations: readonly Operation[]): Operation[] =>
  [...Map.groupBy(operations, ({ method, path }) => `${method} ${path}`).values()].map((operations) =>
    operations.length === 1 ? operations[0]! : merge(operations),
  );
