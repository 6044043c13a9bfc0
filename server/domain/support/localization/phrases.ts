import { createHash } from 'node:crypto';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { es } from './languages/es.ts';
import { fr } from './languages/fr.ts';
import { pl } from './languages/pl.ts';
import { pt } from './languages/pt.ts';

export type PhraseKey = keyof typeof en;
export type Phrases = Record<PhraseKey, string>;

const translations = { en, de, es, fr, pl, pt } satisfies Record<string, Phrases>;

export type Language = keyof typeof translations;

export const languages = Object.keys(translations) as Language[];
export const phraseKeys = Object.keys(en) as PhraseKey[];

/** `pt-BR`, `pt_BR` and `PT` are read as `pt`; who speaks what nobody has translated yet reads English. */
export const resolveLanguage = (tag: string): Language => {
  const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0];
  return languages.find((language) => language === primary) ?? 'en';
};

/** All phrases in a language. An override that is blank or belongs to no phrase changes nothing. */
export const phrasesFor = (language: string, overrides: Readonly<Record<string, string>> = {}): Phrases => {
  const phrases: Phrases = { ...translations[resolveLanguage(language)] };
  for (const key of phraseKeys) {
    const override = Object.hasOwn(overrides, key) ? overrides[key] : undefined;
    if (override?.trim()) phrases[key] = override;
  }
  return phrases;
};

/** Changes whenever any phrase does, with a release as well as with an override, and never else. */
export const localizationVersion = (language: string, overrides?: Readonly<Record<string, string>>): string => {
  const phrases = phrasesFor(language, overrides);
  const content = JSON.stringify(phraseKeys.toSorted().map((key) => [key, phrases[key]]));
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
};
