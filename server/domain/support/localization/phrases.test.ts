import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages, localizationVersion, phrasesFor, resolveLanguage } from './phrases.ts';

const PLURAL = /_(zero|one|two|few|many|other)$/;
const english = phrasesFor('en');
const englishKeys = Object.keys(english);
const placeholdersIn = (text: string): string[] => [...text.matchAll(/%(\w+)%/g)].map(([, name]) => name!).sort();

/** The English keys with the plural categories of another language. */
const expectedKeys = (language: string): string[] => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  return englishKeys.flatMap((key) => {
    if (!PLURAL.test(key)) return [key];
    return key.endsWith('_other') ? pluralCategories.map((category) => key.replace(PLURAL, `_${category}`)) : [];
  });
};

describe.each(languages)('the %s catalog', (language) => {
  const phrases = phrasesFor(language);

  it('has every English key with the plural forms of its language and no others', () => {
    expect(Object.keys(phrases).toSorted()).toEqual(expectedKeys(language).toSorted());
    for (const [key, text] of Object.entries(phrases)) expect(text.trim(), key).toMatch(/^.+$/u);
  });

  it('has the placeholders of the English phrases', () => {
    for (const [key, text] of Object.entries(phrases)) {
      const original = english[key] ?? english[key.replace(PLURAL, '_other')]!;
      expect(placeholdersIn(text), key).toEqual(placeholdersIn(original));
      expect(text.replaceAll(/%\w+%/g, ''), key).not.toContain('%');
    }
  });

  it('is composed, trimmed and plain text', () => {
    for (const [key, text] of Object.entries(phrases)) {
      expect(text, key).toBe(text.normalize('NFC').trim());
      expect(text, key).not.toMatch(/[<>&]| {2}/);
    }
  });

  if (language !== 'en')
    it('is translated', () => {
      const untranslated = englishKeys.filter((key) => phrases[key] === english[key]);
      expect(untranslated.length, `${untranslated}`).toBeLessThan(8);
    });
});

describe('resolveLanguage', () => {
  it.each([
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
  ])('resolves "%s" to %s', (tag, language) => expect(resolveLanguage(tag)).toBe(language));
});

describe('phrasesFor', () => {
  it('applies overrides and ignores blank and unknown ones', () => {
    expect(phrasesFor('de', { Send: 'Ab damit', Name: '  ', Unknown: 'x', constructor: 'x' })).toEqual({
      ...phrasesFor('de'),
      Send: 'Ab damit',
    });
    expect(phrasesFor('de').Send).toBe('Senden');
  });

  it('overrides plural forms that English does not have', () => {
    expect(phrasesFor('pl', { New_messages_few: '%count% nowe' }).New_messages_few).toBe('%count% nowe');
    expect(phrasesFor('en', { New_messages_few: 'x' })).not.toHaveProperty('New_messages_few');
  });
});

describe('localizationVersion', () => {
  const overrides = fc.dictionary(
    fc.constantFrom(...englishKeys, 'Unknown'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );

  it('is the same exactly when all phrases are the same', () => {
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
