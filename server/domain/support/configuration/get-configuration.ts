import { createHash } from 'node:crypto';
import type { OrganizationScope } from '../../scope.ts';
import type { Form, FormType } from '../forms/records.ts';
import { localizationVersion, type Phrases, phrasesFor, resolveLanguage } from '../localization/phrases.ts';
import { type GroupSettings, readGroupSettings } from './settings.ts';

/** The configuration of a group's widget. */
export interface Configuration extends Pick<GroupSettings, 'appearance' | 'buttons' | 'trustedDomains' | 'properties'> {
  /** The requested forms. */
  forms: Partial<Record<FormType, Form>>;
}

/** Content with its version; clients may cache it by version. */
export interface Versioned<T> {
  version: string;
  content: T;
}

const toConfiguration = ({ appearance, buttons, trustedDomains, properties, forms }: GroupSettings): Configuration => ({
  appearance,
  buttons,
  trustedDomains,
  properties,
  forms: Object.fromEntries(
    Object.entries(forms).flatMap(([type, { enabled, form }]) => (enabled ? [[type, form]] : [])),
  ),
});

const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);

/** The current versions of a group's content. */
export const versionsOf = (settings: GroupSettings) => ({
  config: hashOf(toConfiguration(settings)),
  localization: localizationVersion(settings.language, settings.phrases[settings.language]),
});

export const getConfiguration = async (
  scope: OrganizationScope,
  { groupId }: { groupId: number },
): Promise<Versioned<Configuration>> => {
  const content = toConfiguration(await readGroupSettings(scope, groupId));
  return { version: hashOf(content), content };
};

/** The phrases of a group in a language; untranslated ones are in English. */
export const getLocalization = async (
  scope: OrganizationScope,
  { groupId, language }: { groupId: number; language: string },
): Promise<Versioned<Phrases>> => {
  const { phrases } = await readGroupSettings(scope, groupId);
  const resolved = resolveLanguage(language);
  const overrides = phrases[resolved];
  return { version: localizationVersion(resolved, overrides), content: phrasesFor(resolved, overrides) };
};
