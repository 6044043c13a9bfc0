import { domainToASCII } from 'node:url';

const MOST_CHARACTERS = 254;
const MOST_IN_LOCAL_PART = 64;

/** Spaces, controls, invisible marks and whatever would end or split an address in a mail's header. */
const FORBIDDEN = /[\s\p{C}"(),:;<>@[\\\]]/u;
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

/** An address people have, in any script; quoted local parts and bare hosts are none. */
export const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (text.length > MOST_CHARACTERS || local === '' || local.length > MOST_IN_LOCAL_PART) return false;
  if (FORBIDDEN.test(local) || local.split('.').includes('')) return false;
  const labels = host.split('.');
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && domainToASCII(host) !== '';
};
