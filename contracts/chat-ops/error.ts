import { Type } from 'typebox';

/** One body that every known client understands: they read `error`, `errors`, or `message` with `code`. */
export const ChatOpsError = Type.Object({
  message: Type.String(),
  code: Type.Integer({ description: 'The HTTP status' }),
  error: Type.String({ description: 'The message again' }),
  errors: Type.Array(Type.String(), { minItems: 1 }),
});

/** Statuses any operation may fail with. */
export const chatOpsErrorStatuses = [400, 401, 403, 404, 405, 413, 429, 500, 503];
