import type { Connection } from '../core.ts';

/** Custom data about the visitor, set through the JavaScript API and shown to agents. */
export const createSessionVariables = (connection: Connection) => {
  let variables: Record<string, string> = {};
  return {
    all: () => variables,
    /** Adds the server's values; those set by the page take precedence. */
    addFromServer: (fields: Record<string, string>[] = []): void => {
      variables = Object.assign({}, ...fields, variables);
    },
    set: (next: Record<string, unknown>): void => {
      variables = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, String(value)]));
      const session_fields = Object.entries(variables).map(([name, value]) => ({ [name]: value }));
      connection.requestWhenOnline('set_customer_session_fields', { session_fields });
    },
  };
};
