import type { Connection } from '../core.ts';

/** What the page tells about the visitor, as agents see it beside the chat. */
export const createVariables = (connection: Connection) => {
  let known: Record<string, string> = {};
  return {
    all: () => known,
    /** What the server has; what the page said since is newer. */
    learn: (fields: Record<string, string>[] = []): void => {
      known = Object.assign({}, ...fields, known);
    },
    set: (next: Record<string, unknown>): void => {
      known = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, String(value)]));
      const session_fields = Object.entries(known).map(([name, value]) => ({ [name]: value }));
      connection.requestWhenOnline('set_customer_session_fields', { session_fields });
    },
  };
};
