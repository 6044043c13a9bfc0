import { domainToASCII } from 'node:url';

const MAX_CHARACTERS = 254;
const MAX_LOCAL_PART_LENGTH = 64;

/** Spaces, control and invisible characters, and everything that would end or split an address in a mail header. */
const FORBIDDEN = /[\s\p{C}"(),:;<>@[\\\]]/u;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

/** Accepts addresses in any script, but neither quoted local parts nor hosts without a dot. */
export const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (text.length > MAX_CHARACTERS || local === '' || local.length > MAX_LOCAL_PART_LENGTH) return false;
  if (FORBIDDEN.test(local) || local.split('.').includes('')) return false;
  const labels = host.split('.');
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && domainToASCII(host) !== '';
};
