import { type TObject, Type } from 'typebox';
import type { Operation } from '../operation.ts';

/** The query must not have defaults: a default of the body would hide the value in the query. */
export type ReadByQuery = Operation & { readonly query: TObject };

/** The POST variant of a GET operation, with the same parameters in the query or the body. */
export const toPostVariant = (operation: ReadByQuery): Operation => ({
  ...operation,
  name: `${operation.name}_by_post`,
  method: 'POST',
  audit: false,
  description: 'Same as GET. The parameters may be in the query or in the body; the body takes precedence.',
  query: Type.Partial(operation.query),
  body: Type.Partial(operation.query),
});
