const PREFIX = 'pp_';
const MAX_LENGTH = 60;
/** Of a name without a letter that an address can carry. */
const NAMELESS = 'campaign';

/** The name as an address can carry it. */
export const toSlug = (name: string): string => {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-|-$/g, '');
  return `${PREFIX}${words || NAMELESS}`;
};

/** Names that differ may look alike in an address: the later one gets the first number that is free. */
export const numberedSlug = (slug: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
};
