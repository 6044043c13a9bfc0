interface Names {
  firstName: string;
  lastName: string;
}

export const joinName = ({ firstName, lastName }: Names): string => `${firstName} ${lastName}`.trim();

/**
 * The last word is the last name; a single word is the first name. An unchanged full name keeps its parts, so that writing back
 * what was read does not move, for example, `van`.
 */
export const splitName = (fullName: string, known: Names): Names => {
  if (fullName.trim() === joinName(known)) return { firstName: known.firstName, lastName: known.lastName };
  const words = fullName.trim().split(/\s+/);
  if (words.length === 1) return { firstName: words[0]!, lastName: '' };
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1)! };
};
