import { describeError } from '../api/errors.ts';
import { t } from '../i18n/t.ts';

/** Error messages by field name, as in the API. */
export type FieldErrors = Record<string, string>;

const sentence = (text: string): string => {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
};

/** Every surface names the field first, in backticks. */
const NAMED = /^`([^`]+)` (.+)$/s;

/** The field a refusal is about, when it is about one. */
export const readFieldErrors = (error: unknown): FieldErrors => {
  const [, field, message] = NAMED.exec(describeError(error)) ?? [];
  return field && message ? { [field]: sentence(message) } : {};
};

/** The refusal without the marks that are meant for programs. */
export const describeFormError = (error: unknown): string => {
  const [, field, message] = NAMED.exec(describeError(error)) ?? [];
  return field && message ? sentence(`${field.replaceAll('_', ' ')} ${message}`) : describeError(error);
};

/** Leaves out what is fine. */
export const collectErrors = (checks: Record<string, string | false | undefined>): FieldErrors =>
  Object.fromEntries(Object.entries(checks).filter((entry): entry is [string, string] => Boolean(entry[1])));

export const required = (text: string): string | false => text.trim() === '' && t('required');
