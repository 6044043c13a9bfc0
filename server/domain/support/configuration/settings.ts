import type { Properties } from '#server/storage/tables/chats.ts';
import type { Appearance, ChatButton, PhraseOverrides } from '#server/storage/tables/settings.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { defaultFormSetting } from '../forms/defaults.ts';
import type { Form, FormSetting, FormType } from '../forms/records.ts';
import { phrasesFor, resolveLanguage } from '../localization/phrases.ts';
import { audienceOf } from '../properties/definitions.ts';
import { readableProperties } from '../properties/readable.ts';

export type { Appearance, ChatButton } from '#server/storage/tables/settings.ts';

/** All settings of a group, including defaults. */
export interface GroupSettings {
  language: string;
  appearance: Appearance;
  buttons: ChatButton[];
  phrases: PhraseOverrides;
  forms: Record<FormType, FormSetting>;
  trustedDomains: string[];
  /** Only properties that the caller may read. */
  properties: { group: Properties; license: Properties };
}

const DEFAULT_APPEARANCE: Appearance = { theme: 'auto', accentColor: '#0b7460', position: 'right', logoUrl: '' };

const defaultButtons = (language: string, overrides: Record<string, string> | undefined): ChatButton[] => {
  const { Chat_with_us: onlineValue, Leave_message: offlineValue } = phrasesFor(language, overrides);
  return [{ id: 'default', type: 'text', onlineValue, offlineValue }];
};

export const readGroupSettings = async (scope: OrganizationScope, groupId: number): Promise<GroupSettings> => {
  const row = await scope
    .from('groups')
    .innerJoin('organizations', 'organizations.id', 'groups.organizationId')
    .where('groups.id', '=', groupId)
    .where('groups.deletedAt', 'is', null)
    .select(['groups.language', 'groups.appearance', 'groups.buttons', 'groups.phrases', 'groups.forms'])
    .select(['groups.properties as group', 'organizations.properties as license', 'organizations.trustedDomains'])
    .executeTakeFirst();
  if (!row) throw new DomainError('group_not_found', 'Group not found');
  const definitions = await scope.services.support.properties.load(scope.organizationId);
  const audience = audienceOf(scope.actor);
  const language = resolveLanguage(row.language);
  const overrides = row.phrases[language];
  const formOf = (type: FormType): FormSetting => {
    const { enabled, form } = defaultFormSetting(type, language, overrides);
    const own = row.forms[type];
    return { enabled: own?.enabled ?? enabled, form: (own?.form as Form | undefined) ?? form };
  };
  return {
    language,
    appearance: { ...DEFAULT_APPEARANCE, ...row.appearance },
    buttons: row.buttons ?? defaultButtons(language, overrides),
    phrases: row.phrases,
    forms: { prechat: formOf('prechat'), postchat: formOf('postchat'), ticket: formOf('ticket') },
    trustedDomains: row.trustedDomains,
    properties: {
      group: readableProperties(definitions, audience, 'group', row.group),
      license: readableProperties(definitions, audience, 'license', row.license),
    },
  };
};
