import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';
import { exchange } from './exchange.ts';
import { createNameServerLookup, type Lookup, lookUpBySystem } from './lookup.ts';
import { readTarget } from './target.ts';
import {
  RefusedAddressError,
  type Web,
  type WebAnswer,
  WebFailureError,
  type WebHead,
  type WebRequest,
} from './web.ts';

const REDIRECTS = [301, 302, 303, 307, 308];
/** Headers that may be sent to another origin after a redirect. */
const PORTABLE = ['accept', 'user-agent'];

export interface WebOptions {
  /** Allows every address and port, and resolves names with the system resolver. */
  allowPrivate: boolean;
  /** Replaced in tests. */
  lookup?: Lookup;
  isPublic?: (address: string) => boolean;
}

export const createWeb = ({
  allowPrivate,
  lookup = allowPrivate ? lookUpBySystem : createNameServerLookup(),
  isPublic = isPublicAddress,
}: WebOptions): Web => {
  const pending = new Set<AbortController>();
  let closed = false;

  const findAddresses = async ({ hostname }: URL, signal: AbortSignal): Promise<LookupAddress[]> => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) ? [host] : await unlessAborted(lookup(host, signal), signal);
    if (found.length === 0) throw new WebFailureError('network', `${host} has no address`);
    // One private address is enough to reject, because the caller cannot choose which one is used.
    if (!allowPrivate && !found.every(isPublic)) throw new RefusedAddressError(`${host} must have a public address`);
    return found.map((address) => ({ address, family: isIP(address) }));
  };

  const follow = async (request: WebRequest, signal: AbortSignal): Promise<WebAnswer> => {
    const { method, body, maxBytes, maxRedirects, accept = () => true, allowCredentials = false } = request;
    const isRedirect = ({ status, headers }: WebHead): boolean =>
      maxRedirects > 0 && method !== 'POST' && REDIRECTS.includes(status) && headers.location !== undefined;
    const permissions = { anyPort: allowPrivate, credentials: allowCredentials };
    let { url, authorization } = readTarget(request.url, undefined, permissions);
    let headers: Record<string, string> = {
      'user-agent': 'Parley',
      ...lowerCase(request.headers),
      ...(authorization && { authorization }),
    };

    for (let followed = 0; ; followed += 1) {
      const addresses = await findAddresses(url, signal);
      const wanted = (head: WebHead): boolean => !isRedirect(head) && accept(head);
      const answer = await exchange({ url, method, addresses, headers, body, maxBytes, accept: wanted }, signal);
      if (!isRedirect(answer)) return answer;
      if (followed === maxRedirects) throw new WebFailureError('redirects', `more than ${maxRedirects} redirects`);
      const next = readTarget(answer.headers.location!, url, { ...permissions, credentials: false });
      if (next.url.origin !== url.origin) headers = pick(headers, PORTABLE);
      url = next.url;
    }
  };

  return {
    async request(request) {
      if (closed) throw new WebFailureError('closed', 'the web client is closed');
      const controller = new AbortController();
      const timeout = new WebFailureError('timeout', `no complete response within ${request.timeoutMs} ms`);
      const timer = setTimeout(() => controller.abort(timeout), request.timeoutMs);
      pending.add(controller);
      try {
        return await follow(request, controller.signal);
      } catch (error) {
        throw controller.signal.aborted ? controller.signal.reason : explain(error);
      } finally {
        clearTimeout(timer);
        pending.delete(controller);
      }
    },

    close() {
      closed = true;
      for (const controller of pending) controller.abort(new WebFailureError('closed', 'the call was aborted'));
    },
  };
};

const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });

const lowerCase = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const pick = (headers: Record<string, string>, names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

const explain = (error: unknown): unknown => {
  // A TypeError is a bug of the caller, for example a line break in a header.
  if (error instanceof RefusedAddressError || error instanceof WebFailureError || error instanceof TypeError)
    return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'HPE_HEADER_OVERFLOW')
    return new WebFailureError('too_large', 'the response has too many headers', { cause: error });
  // The message is empty if several addresses fail.
  return new WebFailureError('network', message || `${code}`, { cause: error });
};
