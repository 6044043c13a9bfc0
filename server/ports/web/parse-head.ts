import { Parser } from 'htmlparser2';

export interface Head {
  title?: string;
  /** By `name` or `property` in lower case; the first one counts. */
  meta: Map<string, string>;
  charset?: string;
}

const CHARSET = /charset\s*=\s*["']?([^\s"';,]+)/i;

export const readCharset = (contentType: string | undefined): string | undefined => contentType?.match(CHARSET)?.[1];

const addMeta = (head: Head, { content, charset, property, name, ...attributes }: Record<string, string>): void => {
  head.charset ??= charset;
  if (attributes['http-equiv']?.toLowerCase() === 'content-type') head.charset ??= readCharset(content);
  if (content === undefined) return;
  for (const text of [property, name]) {
    const key = text?.trim().toLowerCase();
    if (key && !head.meta.has(key)) head.meta.set(key, content);
  }
};

/** Parses a page up to its body. */
export const parseHead = (html: string): Head => {
  const head: Head = { meta: new Map() };
  let title: string | undefined;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'meta') addMeta(head, attributes);
      else if (name === 'title') title = '';
      else if (name === 'body') parser.pause();
    },
    ontext: (text) => {
      if (title !== undefined) title += text;
    },
    onclosetag: (name, isImplied) => {
      if (name === 'title' && !isImplied) head.title ??= title;
      title = undefined;
    },
  });
  parser.write(html);
  return head;
};
