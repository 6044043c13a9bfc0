import type { MailAddress } from './mail.ts';

/** Reads an address with an optional name, such as `Example support <support@example.com>`. */
export const parseAddress = (text: string): MailAddress => {
  const match = /^(.*)<([^<>]+)>$/.exec(text);
  return match ? { name: match[1]!.trim(), address: match[2]!.trim() } : { address: text };
};
