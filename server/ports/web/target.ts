import { RefusedAddressError } from './web.ts';

export interface Target {
  /** Without credentials. */
  url: URL;
  authorization?: string;
}

interface Permissions {
  anyPort: boolean;
  credentials: boolean;
}

/** What can be said about a URL before its name is looked up. */
export const readTarget = (text: string, base: URL | undefined, { anyPort, credentials }: Permissions): Target => {
  const url = URL.parse(text, base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new RefusedAddressError('the address must begin with http:// or https://');
  if (!anyPort && !isUsualPort(url)) throw new RefusedAddressError(`port ${url.port} may not be called`);
  if (!url.username && !url.password) return { url };
  if (!credentials) throw new RefusedAddressError('the address may hold no credentials');
  const authorization = writeBasic(url);
  url.username = '';
  url.password = '';
  return { url, authorization };
};

/** The low ports speak of mail, shells and printers, where a request may pass for a command. */
const isUsualPort = ({ port }: URL): boolean => ['', '80', '443'].includes(port) || Number(port) >= 1024;

const writeBasic = ({ username, password }: URL): string => {
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new RefusedAddressError('the credentials in the address are not well encoded');
  }
};
