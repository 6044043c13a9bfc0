import { CallFailedError } from '#contracts/client.ts';
import { t } from '../i18n/t.ts';

interface ErrorBody {
  message?: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * The APIs have four error shapes: `{error: {type, message}}`, `{errors: […]}`, `{error, error_description}` and, for sign-in,
 * `{oauth_exception, exception_description}`.
 */
const readErrorBody = (body: unknown): ErrorBody => {
  if (!isRecord(body)) return {};
  const { error, errors, error_description: description, message } = body;
  if (isRecord(error)) return { message: String(error.message ?? '') };
  if (Array.isArray(errors) && errors.length > 0) return { message: errors.map(String).join('; ') };
  if (typeof error === 'string') return { message: typeof description === 'string' ? description : error };
  const text = body.exception_description ?? message;
  return typeof text === 'string' ? { message: text } : {};
};

const BY_STATUS: Record<number, string> = {
  401: t('youveBeenSignedOutSign'),
  402: t('yourLicenseHasExpiredYou'),
  403: t('youDontHavePermissionTo'),
  404: t('thisNoLongerExists'),
  413: t('theFileOrRequestIs'),
  429: t('tooManyRequestsWaitA'),
  500: t('serverErrorTryAgain'),
  503: t('theServerIsntReadyTry'),
};

/** With a capital letter and a full stop. */
export const sentence = (text: string): string => {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
};

/** A sentence about a failure, for users. */
export const describeError = (error: unknown): string => {
  if (error instanceof CallFailedError) {
    const { message } = readErrorBody(error.body);
    if (error.status === 401) return BY_STATUS[401]!;
    return message
      ? sentence(message)
      : (BY_STATUS[error.status] ?? t('theServerRespondedWithStatus', { status: error.status }));
  }
  if (error instanceof TypeError) return t('cantReachTheServer');
  return error instanceof Error ? sentence(error.message) : t('somethingWentWrong');
};

export const isSignedOut = (error: unknown): boolean => error instanceof CallFailedError && error.status === 401;

/** Whether the same call may succeed later without any change. */
export const isTransient = (error: unknown): boolean =>
  !(error instanceof CallFailedError) || error.status === 429 || error.status >= 500;
