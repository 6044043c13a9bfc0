/**
 * Uses before a statement is prepared by name, and the maximum number of names: each costs memory on every connection.
 */
const MIN_USES = 20;
const MAX_NAMES = 300;
/** Lists of varying length create ever new texts, so counting restarts before they fill the memory. */
const MAX_COUNTED = 2_000;

/**
 * Names for frequent statements, so that PostgreSQL parses and plans them once per connection. This is more than half
 * of the cost of a small statement.
 */
export const createStatementNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined || names.size >= MAX_NAMES) return name;
    const used = (uses.get(text) ?? 0) + 1;
    if (used < MIN_USES) {
      if (uses.size >= MAX_COUNTED) uses.clear();
      uses.set(text, used);
      return undefined;
    }
    uses.delete(text);
    names.set(text, `statement_${names.size + 1}`);
    return names.get(text);
  };
};
