interface Names {
  firstName: string;
  lastName: string;
}

export const joinName = ({ firstName, lastName }: Names): string => `${firstName} ${lastName}`.trim();

/**
 * The last word is the last name; a single word is the first name. An unchanged full name keeps its parts, so that writing back
 * what was read does not move, for example, `van`.
 */
export const splitName = (fullName: string, current: Names): Names => {
  if (fullName.trim() === joinName(current)) return { firstName: current.firstName, lastName: current.lastName };
  const words = fullName.trim().split(/\s+/);
  if (words.length === 1) return { firstName: words[0]!, lastName: '' };
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1)! };
};
