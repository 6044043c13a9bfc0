import { Type } from 'typebox';

/** Shared by the partner and the operator surface. */
export const PartnerError = Type.Object({
  error: Type.Object({
    type: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
  }),
});

export const partnerErrorStatuses = [400, 401, 404, 405, 413, 429, 500, 503];
