import { type TObject, type TSchema, Type } from 'typebox';
import type { Operation } from './operation.ts';

const eitherOf = (schemas: TSchema[]): TSchema => (schemas.length === 1 ? schemas[0]! : Type.Union(schemas));

/** A field counts as required only where every shape requires it. */
const mergeFields = (shapes: readonly (TObject | undefined)[]): TObject | undefined => {
  const given = shapes.filter((shape) => shape !== undefined);
  if (given.length === 0) return undefined;
  const isRequired = (name: string) => shapes.every((shape) => shape?.required?.includes(name));
  const names = new Set(given.flatMap((shape) => Object.keys(shape.properties)));
  return Type.Object(
    Object.fromEntries(
      [...names].map((name) => {
        const field = eitherOf(given.flatMap(({ properties }) => properties[name] ?? []));
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
  const usual = operations.find(({ when }) => !when) ?? operations[0]!;
  const all = [usual, ...operations.filter((one) => one !== usual)];
  const bodies = all.flatMap(({ body }) => body ?? []);
  const params = mergeFields(all.map((one) => one.params));
  const query = mergeFields(all.map((one) => one.query));
  return {
    ...usual,
    description: all.map(({ description, summary }) => description ?? `${summary}.`).join('\n\n'),
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    ...(bodies.length > 0 ? { body: eitherOf(bodies) } : {}),
    responses: mergeResponses(all),
    errors: [...new Set(all.flatMap(({ errors }) => errors ?? []))],
  };
};

/** Where several operations share a method and a path, one that stands for all of them: an OpenAPI document has no room for more. */
export const mergeShapes = (operations: readonly Operation[]): Operation[] =>
  [...Map.groupBy(operations, ({ method, path }) => `${method} ${path}`).values()].map((shapes) =>
    shapes.length === 1 ? shapes[0]! : merge(shapes),
  );
