/** The failure table: for each prefix, how much is still matched after a mismatch. */
const fallbacksOf = (part: string): Uint32Array => {
  const fallbacks = new Uint32Array(part.length);
  for (let at = 1, matched = 0; at < part.length; at += 1) {
    while (matched > 0 && part.charCodeAt(at) !== part.charCodeAt(matched)) matched = fallbacks[matched - 1]!;
    if (part.charCodeAt(at) === part.charCodeAt(matched)) matched += 1;
    fallbacks[at] = matched;
  }
  return fallbacks;
};

/**
 * Like `includes`, but always in linear time (Knuth–Morris–Pratt). Both texts are untrusted, and the built-in search
 * needs minutes for a few thousand adversarial texts.
 */
export const createSubstringSearch = (part: string): ((text: string) => boolean) => {
  const fallbacks = fallbacksOf(part);
  return (text) => {
    let matched = 0;
    for (let at = 0; at < text.length && matched < part.length; at += 1) {
      const letter = text.charCodeAt(at);
      while (matched > 0 && letter !== part.charCodeAt(matched)) matched = fallbacks[matched - 1]!;
      if (letter === part.charCodeAt(matched)) matched += 1;
    }
    return matched === part.length;
  };
};
