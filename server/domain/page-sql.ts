import { type PageState, readingOrder } from './paging.ts';

/** Collects the parameters of a statement and returns their placeholders. */
export const openValues = (...values: unknown[]) => ({
  values,
  add: (value: unknown): string => `$${values.push(value)}`,
});

export type Values = ReturnType<typeof openValues>;

/**
 * The end of a statement that reads a page plus one row, to know whether another page follows. It continues from the
 * cursor, so a page deep in a list costs no more than the first one.
 */
export const pageOf = (
  state: PageState<unknown>,
  { at, id }: { at: string; id: string },
  { add }: Values,
): { from: string; inOrder: string } => {
  const order = readingOrder(state);
  const { cursor, limit } = state;
  const from = cursor
    ? `and (${at}, ${id}) ${order === 'asc' ? '>' : '<'} (${add(cursor.at)}::timestamptz, ${add(cursor.id)})`
    : '';
  return { from, inOrder: `order by ${at} ${order}, ${id} ${order} limit ${add(limit + 1)}` };
};
