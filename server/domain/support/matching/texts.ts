/** Invisible formatting characters, which are copied along with text, especially from right-to-left pages. */
const INVISIBLE = /\p{Cf}/gu;

/** Normalizes a text for comparison: case, surrounding space, width and composition of characters are ignored. */
export const foldText = (text: string): string => text.replace(INVISIBLE, '').normalize('NFKC').trim().toLowerCase();

/** Reads a value by a user-chosen name, which may be `constructor`. */
export const readValue = (values: Record<string, string>, name: string): string =>
  Object.hasOwn(values, name) ? (values[name] ?? '') : '';
