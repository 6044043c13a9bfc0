import { locale } from '../../i18n/language.ts';
import { t } from './t.ts';

export const STATUS_LABELS = {
  'accepting chats': t('acceptingChats'),
  'not accepting chats': t('notAcceptingChats'),
  offline: t('offline'),
} as const;

/** The agent API and REST v2 spell the same statuses differently. */
export const ROUTING_STATUSES = {
  accepting_chats: 'accepting chats',
  not_accepting_chats: 'not accepting chats',
  offline: 'offline',
} as const;

/** The colors of `browser/tokens.css` that say the same everywhere. */
export const STATUS_COLORS = {
  'accepting chats': 'var(--success)',
  'not accepting chats': 'var(--warning)',
  offline: 'var(--text-muted)',
} as const;

export const ROLE_LABELS = { owner: t('owner'), administrator: t('administrator'), normal: t('agent') } as const;

/** The languages of the widget. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pl', 'pt'];

const languageNames = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' });

/** A code that is not a language tag is shown unchanged. */
export const languageName = (code: string): string => {
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code;
  }
};
