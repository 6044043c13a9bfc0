/** Every folder in `locales/` is a language; its catalogs are fetched only when they are needed. */
const catalogs = import.meta.glob<Record<string, string>>('../../locales/*/*.json', { import: 'default' });

const FALLBACK = 'en';

const languages = new Set(Object.keys(catalogs).map((path) => path.split('/').at(-2)!));
const languageOf = (tag: string): string => tag.split('-', 1)[0]!;

/** The first of the browser's languages that has a translation, with its region: dates and numbers follow it. */
export const locale: string =
  (globalThis.navigator?.languages ?? []).find((tag) => languages.has(languageOf(tag))) ?? FALLBACK;

export const language: string = languageOf(locale);

/** The messages of an area, by language. English fills in for what is not translated yet. */
export const loadCatalogs = (area: string): Promise<[language: string, messages: Record<string, string>][]> =>
  Promise.all(
    [...new Set([language, FALLBACK])].flatMap((code) => {
      const load = catalogs[`../../locales/${code}/${area}.json`];
      return load ? [load().then((messages): [string, Record<string, string>] => [code, messages])] : [];
    }),
  );

const numbers = new Intl.NumberFormat(locale);
const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' });
const disjunction = new Intl.ListFormat(locale, { type: 'disjunction' });

export const formatNumber = (value: number): string => numbers.format(value);

/** `a, b, and c`. */
export const formatList = (items: string[]): string => conjunction.format(items);

/** `a, b, or c`. */
export const formatAlternatives = (items: string[]): string => disjunction.format(items);
