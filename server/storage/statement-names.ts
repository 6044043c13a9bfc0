/** Uses before a statement is worth keeping prepared, and how many are: each costs every connection some memory. */
const WORTH_A_NAME = 20;
const MAX_NAMES = 300;
/** Lists of varying length make ever new texts; counting begins anew before they fill the memory. */
const MAX_COUNTED = 2_000;

/**
 * Names for texts that come again and again, so that PostgreSQL reads and plans them once for each connection instead of
 * each time. That is more than half of what a small statement costs.
 */
export const createStatementNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined || names.size >= MAX_NAMES) return name;
    const used = (uses.get(text) ?? 0) + 1;
    if (used < WORTH_A_NAME) {
      if (uses.size >= MAX_COUNTED) uses.clear();
      uses.set(text, used);
      return undefined;
    }
    uses.delete(text);
    names.set(text, `statement_${names.size + 1}`);
    return names.get(text);
  };
};
