import { Fragment, type ReactNode } from 'react';

/** Not part of any text. */
const SEPARATOR = '\u0000';

/** A message whose placeholders are elements: `richText(t, 'key', { link: <Link … /> })`. */
export const richText = <K extends string>(
  t: (key: K, values: Record<string, string>) => string,
  key: K,
  elements: Record<string, ReactNode>,
): ReactNode[] => {
  const marked = Object.fromEntries(Object.keys(elements).map((name) => [name, `${SEPARATOR}${name}${SEPARATOR}`]));
  return t(key, marked)
    .split(SEPARATOR)
    .map((part, index) => (index % 2 === 0 ? part : <Fragment key={part}>{elements[part]}</Fragment>));
};
