import { readStorage, writeStorage } from '#browser/storage.ts';
import type { Options, WireError } from '../core.ts';

interface CachedToken {
  token: string;
  expires: number;
}

const MINUTE = 60_000;

const requestToken = async ({ base, organizationId }: Options): Promise<CachedToken> => {
  const body = { grant_type: 'cookie', client_id: 'widget', response_type: 'token', organization_id: organizationId };
  // Without a content type the request is simple and needs no CORS preflight.
  const response = await fetch(`${base}v2/customer/token`, {
    method: 'POST',
    credentials: 'include',
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) {
    const error: WireError = { type: answer.oauth_exception, message: answer.exception_description };
    throw error;
  }
  return { token: answer.access_token, expires: Date.now() + answer.expires_in * 1000 };
};

/** Tabs that open simultaneously must become the same customer: one requests the token, the others reuse it. */
const withLock = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request(name, act) as Promise<T>) : act();

export const createTokens = (options: Options) => {
  const key = `parley_token_${options.organizationId}`;
  const current = (): string | undefined => {
    const cached = readStorage<CachedToken>(key);
    return cached && cached.expires > Date.now() + MINUTE ? cached.token : undefined;
  };
  return {
    get: async (): Promise<string> =>
      current() ??
      withLock(key, async () => {
        const existing = current();
        if (existing) return existing;
        const fetched = await requestToken(options);
        writeStorage(key, fetched);
        return fetched.token;
      }),
    /** Discards a rejected token. Another tab may already have stored a newer one, which is cached. */
    drop: (token: string | undefined): void => {
      if (readStorage<CachedToken>(key)?.token === token) writeStorage(key, undefined);
    },
  };
};
