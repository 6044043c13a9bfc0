import { Type } from 'typebox';

/** The credential tells the organization; who names it must name the right one. */
export const configurationQuery = Type.Object({
  organization_id: Type.Optional(Type.String({ maxLength: 64 })),
});
