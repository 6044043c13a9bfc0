import { CallFailedError } from '#contracts/client.ts';

interface Told {
  message?: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * The surfaces say why in four shapes: `{error: {type, message}}`, `{errors: […]}`, `{error, error_description}` and, where one
 * signs in, `{oauth_exception, exception_description}`.
 */
const readTold = (body: unknown): Told => {
  if (!isRecord(body)) return {};
  const { error, errors, error_description: description, message } = body;
  if (isRecord(error)) return { message: String(error.message ?? '') };
  if (Array.isArray(errors) && errors.length > 0) return { message: errors.map(String).join('; ') };
  if (typeof error === 'string') return { message: typeof description === 'string' ? description : error };
  const said = body.exception_description ?? message;
  return typeof said === 'string' ? { message: said } : {};
};

const BY_STATUS: Record<number, string> = {
  401: 'You are signed out. Sign in again.',
  402: 'The licence has ended: everything can be read, nothing changed.',
  403: 'You may not do that.',
  404: 'That is not there any more.',
  413: 'That is too large.',
  429: 'Too many requests. Wait a moment and try again.',
  500: 'The server failed. Try again.',
  503: 'The server is not ready. Try again in a moment.',
};

const sentence = (text: string): string => {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
};

/** What a person is told of a failure. */
export const describeError = (error: unknown): string => {
  if (error instanceof CallFailedError) {
    const { message } = readTold(error.body);
    if (error.status === 401) return BY_STATUS[401]!;
    return message ? sentence(message) : (BY_STATUS[error.status] ?? `The server answered ${error.status}.`);
  }
  if (error instanceof TypeError) return 'The server cannot be reached.';
  return error instanceof Error ? sentence(error.message) : 'Something went wrong.';
};

export const isSignedOut = (error: unknown): boolean => error instanceof CallFailedError && error.status === 401;

/** Whether the same call may work later without anybody changing anything. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof CallFailedError) || error.status === 429 || error.status >= 500;
