import { CallFailedError } from '#contracts/client.ts';
import { describeError, sentence } from '../api/errors.ts';
import { t } from '../i18n/t.ts';

/** Error messages by field path, as in the API. */
export type FieldErrors = Record<string, string>;

interface FieldError {
  field: string;
  message: string;
}

interface ErrorBody {
  error?: { data?: { fields?: FieldError[] } };
}

/** The chat-ops API lists the invalid fields in a header, the agent and configuration APIs in `error.data.fields`. */
const readFields = (error: unknown): FieldError[] => {
  if (!(error instanceof CallFailedError)) return [];
  if (error.invalidFields) return JSON.parse(error.invalidFields);
  return (error.body as ErrorBody | undefined)?.error?.data?.fields ?? [];
};

export const readFieldErrors = (error: unknown): FieldErrors =>
  Object.fromEntries(readFields(error).map(({ field, message }) => [field, sentence(message)]));

/** For a form without an input for the field that the server names. */
export const describeFormError = (error: unknown): string => {
  const fields = readFields(error);
  if (fields.length === 0) return describeError(error);
  return fields.map(({ field, message }) => sentence(`${field.replaceAll('_', ' ')} ${message}`)).join(' ');
};

/** The failed checks. */
export const collectErrors = (checks: Record<string, string | false | undefined>): FieldErrors =>
  Object.fromEntries(Object.entries(checks).filter((entry): entry is [string, string] => Boolean(entry[1])));

export const required = (text: string): string | false => text.trim() === '' && t('required');
