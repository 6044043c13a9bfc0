import { type TObject, Type } from 'typebox';
import type { Operation } from '../operation.ts';

/** Its query must not have defaults: one in the body would hide what the query says. */
export type ReadByQuery = Operation & { readonly query: TObject };

/** What is read by GET can be asked for by POST as well, with the same parameters in the query or the body. */
export const twinOf = (operation: ReadByQuery): Operation => ({
  ...operation,
  name: `${operation.name}_by_post`,
  method: 'POST',
  description: 'Same as GET. The parameters may be in the query or in the body; the body takes precedence.',
  query: Type.Partial(operation.query),
  body: Type.Partial(operation.query),
});
