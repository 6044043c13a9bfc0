import { Type } from 'typebox';

/** One body for all known clients, which read `error`, `errors`, or `message` and `code`. */
export const ChatOpsError = Type.Object({
  message: Type.String(),
  code: Type.Integer({ description: 'The HTTP status' }),
  error: Type.String({ description: 'Same as `message`' }),
  errors: Type.Array(Type.String(), { minItems: 1 }),
});

/** Statuses that any operation may fail with. */
export const chatOpsErrorStatuses = [400, 401, 403, 404, 405, 413, 429, 500, 503];
