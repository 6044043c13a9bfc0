/** Formatting characters nobody sees: they come along when text is copied, above all out of right-to-left pages. */
const INVISIBLE = /\p{Cf}/gu;

/** How texts are compared: case, surrounding space, width and composition of characters do not count. */
export const foldText = (text: string): string => text.replace(INVISIBLE, '').normalize('NFKC').trim().toLowerCase();

/** A value by a name that visitors choose: `constructor` is a name like any other. */
export const readValue = (values: Record<string, string>, name: string): string =>
  Object.hasOwn(values, name) ? (values[name] ?? '') : '';
