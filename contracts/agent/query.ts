import { Type } from 'typebox';

/** The credential tells the organization; one that is named all the same must be that one. */
export const agentQuery = Type.Object({
  organization_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
