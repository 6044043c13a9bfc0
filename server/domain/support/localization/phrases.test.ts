import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages, localizationVersion, phraseKeys, phrasesFor, resolveLanguage } from './phrases.ts';

const placeholdersIn = (text: string): string[] => [...text.matchAll(/%(\w+)%/g)].map(([, name]) => name!).sort();
const english = phrasesFor('en');

for (const language of languages) {
  describe(`the phrases in ${language}`, () => {
    const phrases = phrasesFor(language);

    it('are complete, and nothing else', () => {
      expect(Object.keys(phrases)).toEqual(phraseKeys);
      for (const [key, text] of Object.entries(phrases)) expect(text.trim(), key).toMatch(/^.+$/u);
    });

    it('have the placeholders of the English ones', () => {
      for (const key of phraseKeys) {
        expect(placeholdersIn(phrases[key]), key).toEqual(placeholdersIn(english[key]));
        expect(phrases[key].replaceAll(/%\w+%/g, ''), key).not.toContain('%');
      }
    });

    it('are composed, trimmed and plain text', () => {
      for (const [key, text] of Object.entries(phrases)) {
        expect(text, key).toBe(text.normalize('NFC').trim());
        expect(text, key).not.toMatch(/[<>&]| {2}/);
      }
    });
  });
}

describe('the phrases', () => {
  it('differ from language to language', () => {
    for (const language of languages.filter((other) => other !== 'en')) {
      const phrases = phrasesFor(language);
      const shared = phraseKeys.filter((key) => phrases[key] === english[key]);
      expect(shared.length, `${language}: ${shared}`).toBeLessThan(8);
    }
  });

  const tags: [tag: string, language: string][] = [
    ['pt-BR', 'pt'],
    ['pt_PT', 'pt'],
    ['PL', 'pl'],
    [' de-AT ', 'de'],
    ['es-419', 'es'],
    ['xx', 'en'],
    ['', 'en'],
    ['-', 'en'],
    ['constructor', 'en'],
    ['__proto__', 'en'],
    ['english', 'en'],
    ['plt', 'en'],
  ];
  for (const [tag, language] of tags) {
    it(`are ${language} for "${tag}"`, () => expect(resolveLanguage(tag)).toBe(language));
  }

  it('can be overridden one by one', () => {
    expect(phrasesFor('de', { Send: 'Ab damit', Name: '  ', Unknown: 'x', constructor: 'x' })).toEqual({
      ...phrasesFor('de'),
      Send: 'Ab damit',
    });
    expect(phrasesFor('de').Send).toBe('Senden');
  });
});

describe('the version', () => {
  const overrides = fc.dictionary(
    fc.constantFrom(...phraseKeys, 'Unknown'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );

  it('is the same exactly when all phrases are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...languages), overrides, overrides, (language, one, other) => {
        const same = JSON.stringify(phrasesFor(language, one)) === JSON.stringify(phrasesFor(language, other));
        expect(localizationVersion(language, one) === localizationVersion(language, other)).toBe(same);
      }),
    );
  });

  it('differs between languages and not between regions', () => {
    expect(new Set(languages.map((language) => localizationVersion(language))).size).toBe(languages.length);
    expect(localizationVersion('pt-BR')).toBe(localizationVersion('pt'));
    expect(localizationVersion('en')).toMatch(/^[0-9a-f]{16}$/);
  });
});
