import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import english from './languages/en.json' with { type: 'json' };

export type PhraseKey = keyof typeof english;
/** Plural forms differ between languages: only Polish has `New_messages_few`. */
export type Phrases = Record<PhraseKey, string> & Record<string, string>;

const FOLDER = new URL('./languages/', import.meta.url);
const readCatalog = (file: string): Phrases => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

/**
 * One JSON file per language, so adding a language is adding a file. Plurals follow the i18next convention: `key_one`,
 * `key_other` and whatever other categories `Intl.PluralRules` has for the language.
 */
const catalogs = new Map(
  readdirSync(FOLDER)
    .sort()
    .map((file) => [file.replace('.json', ''), readCatalog(file)]),
);

export const languages = [...catalogs.keys()];

/** `pt-BR`, `pt_BR` and `PT` all mean `pt`. English is the fallback for languages without a catalog. */
export const resolveLanguage = (tag: string): string => {
  const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0]!;
  return catalogs.has(primary) ? primary : 'en';
};

const catalogOf = (language: string): Phrases => catalogs.get(resolveLanguage(language))!;

export const hasPhrase = (language: string, key: string): boolean => Object.hasOwn(catalogOf(language), key);

/** All phrases of a language. Overrides that are blank or that have an unknown key are ignored. */
export const phrasesFor = (language: string, overrides: Readonly<Record<string, string>> = {}): Phrases => {
  const valid = Object.entries(overrides).filter(([key, text]) => hasPhrase(language, key) && text.trim());
  return Object.assign({ ...catalogOf(language) }, Object.fromEntries(valid));
};

/** A hash that changes exactly when a phrase changes, whether by a release or by an override. */
export const localizationVersion = (language: string, overrides?: Readonly<Record<string, string>>): string => {
  const phrases = Object.entries(phrasesFor(language, overrides)).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(phrases)).digest('hex').slice(0, 16);
};
