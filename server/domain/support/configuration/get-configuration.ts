import { createHash } from 'node:crypto';
import type { OrganizationScope } from '../../scope.ts';
import type { Form, FormType } from '../forms/records.ts';
import { localizationVersion, type Phrases, phrasesFor, resolveLanguage } from '../localization/phrases.ts';
import { type GroupSettings, readGroupSettings } from './settings.ts';

/** What a widget of a group is built from. */
export interface Configuration extends Pick<GroupSettings, 'appearance' | 'buttons' | 'trustedDomains' | 'properties'> {
  /** Those that are asked. */
  forms: Partial<Record<FormType, Form>>;
}

/** Content and the version it has; whoever was told that version may keep it. */
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

/** The versions that the content of a group has now. */
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

/** The phrases of a group in a language; one that nobody translated is read in English. */
export const getLocalization = async (
  scope: OrganizationScope,
  { groupId, language }: { groupId: number; language: string },
): Promise<Versioned<Phrases>> => {
  const { phrases } = await readGroupSettings(scope, groupId);
  const spoken = resolveLanguage(language);
  const overrides = phrases[spoken];
  return { version: localizationVersion(spoken, overrides), content: phrasesFor(spoken, overrides) };
};
