import { type PhraseKey, phrasesFor } from '../localization/phrases.ts';
import type { Form, FormField, FormSetting, FormType } from './records.ts';

type Say = (key: PhraseKey) => string;

/** An e-mail address is all that is demanded: with it an answer arrives even after the visitor has left. */
const prechat = (say: Say): FormField[] => [
  { type: 'header', id: 'header', label: say('Prechat_header') },
  { type: 'name', id: 'name', label: say('Name'), required: false },
  { type: 'email', id: 'email', label: say('Email'), required: true },
];

const postchat = (say: Say): FormField[] => [
  { type: 'header', id: 'header', label: say('Postchat_header') },
  { type: 'rating', id: 'rating', label: say('Rate_this_chat'), required: false, commentLabel: say('Leave_comment') },
];

const ticket = (say: Say): FormField[] => [
  { type: 'header', id: 'header', label: say('Ticket_header') },
  { type: 'name', id: 'name', label: say('Name'), required: false },
  { type: 'email', id: 'email', label: say('Email'), required: true },
  { type: 'subject', id: 'subject', label: say('Subject'), required: false },
  { type: 'textarea', id: 'message', label: say('Message'), required: true },
];

const fieldsOf: Record<FormType, (say: Say) => FormField[]> = { prechat, postchat, ticket };

const defaultForm = (type: FormType, phrases: Record<PhraseKey, string>): Form => ({
  id: `default_${type}`,
  fields: fieldsOf[type]((key) => phrases[key]),
});

/**
 * What a group asks until someone decides otherwise. All three are on: a shop wants to know whom it talks to, how it
 * did, and not to lose whoever comes at night. They bind people in front of a form; a program may start a chat without.
 */
export const defaultFormSetting = (
  type: FormType,
  language: string,
  overrides?: Readonly<Record<string, string>>,
): FormSetting => ({ enabled: true, form: defaultForm(type, phrasesFor(language, overrides)) });
