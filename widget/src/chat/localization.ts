import { readStorage, writeStorage } from '#browser/storage.ts';
import type { Core } from '../core.ts';

export type Translate = (key: string, variables?: Record<string, string | number>) => string;

/** A `count` selects the plural form of the phrase. */
export const createTranslate = (phrases: () => Record<string, string>, language: () => string): Translate => {
  const find = (key: string): string | undefined => phrases()[key];
  const plural = (key: string, count: number): string | undefined =>
    find(`${key}_${new Intl.PluralRules(language()).select(count)}`) ?? find(`${key}_other`);
  return (key, variables = {}) =>
    Object.entries(variables).reduce(
      (text, [name, value]) => text.replace(`%${name}%`, () => String(value)),
      (typeof variables.count === 'number' ? plural(key, variables.count) : find(key)) ?? '',
    );
};

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|ha|he|khw|ks|ps|sd|ur|yi)\b/i;

export const languageOf = ({ options, dynamic }: Core): string => options.language ?? dynamic()?.language ?? 'en';

export const directionOf = (core: Core): 'ltr' | 'rtl' => {
  const { direction } = core.options;
  if (direction === 'rtl' || direction === 'ltr') return direction;
  return RIGHT_TO_LEFT.test(languageOf(core)) ? 'rtl' : 'ltr';
};

interface CachedPhrases {
  version: string;
  phrases: Record<string, string>;
}

const keyOf = ({ options }: Core): string =>
  `parley_phrases_${options.organizationId}_${options.groupId}_${options.language ?? ''}`;

export const readCachedPhrases = (core: Core): Record<string, string> =>
  readStorage<CachedPhrases>(keyOf(core))?.phrases ?? {};

/** Phrases are cached until their version changes. */
export const loadPhrases = async (core: Core): Promise<Record<string, string>> => {
  const { localization_version: version, group_id } = core.dynamic()!;
  const cached = readStorage<CachedPhrases>(keyOf(core));
  if (cached?.version === version) return cached.phrases;
  const params = { group_id, language: languageOf(core), version };
  const phrases = await core.connection.request<Record<string, string>>('get_localization', params);
  writeStorage(keyOf(core), { version, phrases });
  return phrases;
};
