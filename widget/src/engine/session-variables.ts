import type { Connection } from '../core.ts';

/** Custom data about the visitor, set through the JavaScript API and shown to agents. */
export const createSessionVariables = (connection: Connection) => {
  let known: Record<string, string> = {};
  return {
    all: () => known,
    /** Adds the server's values; those set by the page take precedence. */
    addFromServer: (fields: Record<string, string>[] = []): void => {
      known = Object.assign({}, ...fields, known);
    },
    set: (next: Record<string, unknown>): void => {
      known = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, String(value)]));
      const session_fields = Object.entries(known).map(([name, value]) => ({ [name]: value }));
      connection.requestWhenOnline('set_customer_session_fields', { session_fields });
    },
  };
};
