const PREFIX = 'pp_';
const MAX_LENGTH = 60;
/** The slug of a name without any character that is allowed in a URL. */
const DEFAULT_SLUG = 'campaign';

/** The name reduced to characters that are allowed in a URL. */
export const toSlug = (name: string): string => {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-|-$/g, '');
  return `${PREFIX}${words || DEFAULT_SLUG}`;
};

/** Different names can have the same slug; later ones get the first free number as a suffix. */
export const numberedSlug = (slug: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
};
