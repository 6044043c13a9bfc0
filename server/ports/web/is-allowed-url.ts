import { isIP } from 'node:net';
import { isPublicAddress } from './address.ts';
import { readTarget } from './target.ts';

const LOCAL_NAME = /^(?:.*\.)?localhost\.?$/;

/** A check of the URL alone. Host names are resolved and checked again when the call is made. */
export const createUrlCheck =
  ({ allowPrivate }: { allowPrivate: boolean }) =>
  (text: string): boolean => {
    try {
      const { hostname } = readTarget(text, undefined, { anyPort: allowPrivate, credentials: false }).url;
      const host = hostname.replace(/^\[|\]$/g, '');
      return allowPrivate || (isIP(host) ? isPublicAddress(host) : !LOCAL_NAME.test(host));
    } catch {
      return false;
    }
  };
