/** Query parameters of search engines. */
const parameters: Record<string, string[]> = {
  google: ['q'],
  bing: ['q'],
  yahoo: ['p', 'q'],
  duckduckgo: ['q'],
  baidu: ['wd', 'word'],
  yandex: ['text'],
  ya: ['text'],
  ecosia: ['q'],
  startpage: ['query', 'q'],
  qwant: ['q'],
  naver: ['query'],
  daum: ['q'],
  seznam: ['q'],
  brave: ['q'],
  sogou: ['query'],
  ask: ['q'],
  aol: ['q'],
  kagi: ['q'],
  mojeek: ['q'],
  swisscows: ['query'],
};

const MAX_CHARACTERS = 2048;

/** `google` in `www.google.com` and in `google.co.uk`. */
const engineOf = (host: string): string | undefined =>
  host
    .split('.')
    .slice(-3, -1)
    .findLast((label) => Object.hasOwn(parameters, label));

/**
 * The search terms from the referrer. Only search engines count, since `?q=` of other sites may be anything. Most
 * engines no longer pass the terms on.
 */
export const searchKeywordOf = (referrer: string): string | undefined => {
  if (!URL.canParse(referrer)) return undefined;
  const { hostname, searchParams } = new URL(referrer);
  const engine = engineOf(hostname);
  if (!engine) return undefined;
  const found = parameters[engine]!.map((name) => searchParams.get(name)?.trim()).find(Boolean);
  return found?.slice(0, MAX_CHARACTERS);
};
