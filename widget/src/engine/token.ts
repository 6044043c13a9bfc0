import type { Options, WireError } from '../core.ts';
import { keep, recall } from '../keep.ts';

interface KeptToken {
  token: string;
  expires: number;
}

const MINUTE = 60_000;

const ask = async ({ base, organizationId }: Options): Promise<KeptToken> => {
  const body = { grant_type: 'cookie', client_id: 'widget', response_type: 'token', organization_id: organizationId };
  // Without a content type of its own the browser needs no question before it.
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

/** Tabs that open at the same moment must be one customer, so one asks and the others read. */
const inTurn = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request(name, act) as Promise<T>) : act();

export const createTokens = (options: Options) => {
  const key = `parley_token_${options.organizationId}`;
  const current = (): string | undefined => {
    const kept = recall<KeptToken>(key);
    return kept && kept.expires > Date.now() + MINUTE ? kept.token : undefined;
  };
  return {
    get: async (): Promise<string> =>
      current() ??
      inTurn(key, async () => {
        const known = current();
        if (known) return known;
        const made = await ask(options);
        keep(key, made);
        return made.token;
      }),
    /** Only the one that was refused: another tab may have got a new one already. */
    drop: (token: string | undefined): void => {
      if (recall<KeptToken>(key)?.token === token) keep(key, undefined);
    },
  };
};
