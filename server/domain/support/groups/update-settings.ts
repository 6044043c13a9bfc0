import type { Appearance, ChatButton, PhraseOverrides } from '#server/storage/tables/settings.ts';
import { requireAdministrator } from '../../access.ts';
import { DomainError, type FieldError, invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { readFileAddress } from '../files/address.ts';
import { markFilesUsed } from '../files/mark-used.ts';
import { hasPhrase, languages } from '../localization/phrases.ts';
import { activeGroups } from './online.ts';

/** Given fields replace the existing values; phrases are replaced per language. */
export interface SettingsChange {
  language?: string | undefined;
  appearance?: Partial<Appearance> | undefined;
  /** `null` restores the defaults. */
  buttons?: ChatButton[] | null | undefined;
  phrases?: PhraseOverrides | undefined;
}

const MAX_BUTTONS = 20;
const MAX_VALUE_LENGTH = 2048;
const MAX_PHRASE_LENGTH = 1000;

const COLOR = /^#[0-9a-f]{6}$/i;
const WEB_ADDRESS = /^https?:$/;

const checkLanguage = (field: string, language: string): FieldError[] =>
  languages.includes(language) ? [] : [{ field, message: `must be one of: ${languages.join(', ')}` }];

const checkAppearance = ({ accentColor = '#000000', logoUrl = '' }: Partial<Appearance>): FieldError[] => [
  ...(COLOR.test(accentColor) ? [] : [{ field: 'appearance.accent_color', message: 'must have the format #rrggbb' }]),
  ...(logoUrl === '' ? [] : checkValue('appearance.logo_url', 'image', logoUrl)),
];

const checkValue = (field: string, type: ChatButton['type'], value: string): FieldError[] => {
  if (value.trim() === '' || value.length > MAX_VALUE_LENGTH)
    return [{ field, message: `must have 1 to ${MAX_VALUE_LENGTH} characters` }];
  if (type === 'image' && !WEB_ADDRESS.test(URL.parse(value)?.protocol ?? ''))
    return [{ field, message: 'must be the URL of an image' }];
  return [];
};

const checkButtons = (buttons: ChatButton[]): FieldError[] => {
  if (buttons.length > MAX_BUTTONS)
    return [{ field: 'buttons', message: `must not have more than ${MAX_BUTTONS} items` }];
  const ids = new Set(buttons.map(({ id }) => id));
  if (ids.size < buttons.length || ids.has('')) return [{ field: 'buttons', message: 'must have unique ids' }];
  return buttons.flatMap(({ type, onlineValue, offlineValue }, index) => [
    ...checkValue(`buttons.${index}.online_value`, type, onlineValue),
    ...checkValue(`buttons.${index}.offline_value`, type, offlineValue),
  ]);
};

const checkPhrases = (phrases: PhraseOverrides): FieldError[] =>
  Object.entries(phrases).flatMap(([language, overrides]) => [
    ...checkLanguage(`phrases.${language}`, language),
    ...Object.entries(overrides).flatMap(([key, text]) => {
      const field = `phrases.${language}.${key}`;
      if (!hasPhrase(language, key)) return [{ field, message: 'must be a phrase of the widget' }];
      return text.length > MAX_PHRASE_LENGTH
        ? [{ field, message: `must not exceed ${MAX_PHRASE_LENGTH} characters` }]
        : [];
    }),
  ]);

const checkChange = ({ language, appearance, buttons, phrases }: SettingsChange): void => {
  const fields = [
    ...(language === undefined ? [] : checkLanguage('language', language)),
    ...checkAppearance(appearance ?? {}),
    ...checkButtons(buttons ?? []),
    ...checkPhrases(phrases ?? {}),
  ];
  if (fields[0]) throw new DomainError('validation', invalid(fields[0].field, fields[0].message).message, { fields });
};

/** Marks uploaded images as used, so that they do not expire. */
const markLogoUsed = async (tx: Transaction<OrganizationScope>, url: string): Promise<void> => {
  const { services, organizationId } = tx;
  if (!url.startsWith(`${services.installation.publicUrl()}/files/`)) return;
  const fileId = readFileAddress({ url, publicUrl: services.installation.publicUrl(), organizationId });
  await markFilesUsed(tx.executor, [{ organizationId, fileId, at: tx.now() }]);
};

/** Changes appearance and texts of a group's widget. */
export const updateGroupSettings = async (
  scope: OrganizationScope,
  groupId: number,
  change: SettingsChange,
): Promise<void> => {
  requireAdministrator(scope.actor);
  checkChange(change);
  const { language, appearance, buttons, phrases } = change;
  await scope.transaction(async (tx) => {
    const old = await activeGroups(tx)
      .where('id', '=', groupId)
      .select(['appearance', 'phrases'])
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!old) throw new DomainError('group_not_found', 'Group not found');
    if (appearance?.logoUrl) await markLogoUsed(tx, appearance.logoUrl);
    await tx
      .update('groups')
      .where('id', '=', groupId)
      .set({
        appearance: JSON.stringify({ ...old.appearance, ...appearance }),
        phrases: JSON.stringify({ ...old.phrases, ...phrases }),
        ...(language === undefined ? {} : { language }),
        ...(buttons === undefined ? {} : { buttons: buttons && JSON.stringify(buttons) }),
      })
      .execute();
  });
};
