import { type PhraseKey, phrasesFor } from '../localization/phrases.ts';
import type { Form, FormField, FormSetting, FormType } from './records.ts';

type Translate = (key: PhraseKey) => string;

/** Only the email address is required: agents can reply to it after the visitor has left. */
const prechat = (t: Translate): FormField[] => [
  { type: 'header', id: 'header', label: t('Prechat_header') },
  { type: 'name', id: 'name', label: t('Name'), required: false },
  { type: 'email', id: 'email', label: t('Email'), required: true },
];

const postchat = (t: Translate): FormField[] => [
  { type: 'header', id: 'header', label: t('Postchat_header') },
  { type: 'rating', id: 'rating', label: t('Rate_this_chat'), required: false, commentLabel: t('Leave_comment') },
];

const ticket = (t: Translate): FormField[] => [
  { type: 'header', id: 'header', label: t('Ticket_header') },
  { type: 'name', id: 'name', label: t('Name'), required: false },
  { type: 'email', id: 'email', label: t('Email'), required: true },
  { type: 'subject', id: 'subject', label: t('Subject'), required: false },
  { type: 'textarea', id: 'message', label: t('Message'), required: true },
];

const fieldsOf: Record<FormType, (t: Translate) => FormField[]> = { prechat, postchat, ticket };

const defaultForm = (type: FormType, phrases: Record<PhraseKey, string>): Form => ({
  id: `default_${type}`,
  fields: fieldsOf[type]((key) => phrases[key]),
});

/** The form of a group that has not configured its own. Forms apply to the widget; API clients may start chats without. */
export const defaultFormSetting = (
  type: FormType,
  language: string,
  overrides?: Readonly<Record<string, string>>,
): FormSetting => ({ enabled: true, form: defaultForm(type, phrasesFor(language, overrides)) });
