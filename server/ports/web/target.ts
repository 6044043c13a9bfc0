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

/** Checks a URL before its host is resolved. */
export const readTarget = (text: string, base: URL | undefined, { anyPort, credentials }: Permissions): Target => {
  const url = URL.parse(text, base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new RefusedAddressError('the URL must start with http:// or https://');
  if (!anyPort && !isUsualPort(url)) throw new RefusedAddressError(`port ${url.port} is not allowed`);
  if (!url.username && !url.password) return { url };
  if (!credentials) throw new RefusedAddressError('the URL must not contain credentials');
  const authorization = writeBasic(url);
  url.username = '';
  url.password = '';
  return { url, authorization };
};

/** Low ports belong to mail, shells and printers, which may interpret a request as commands. */
const isUsualPort = ({ port }: URL): boolean => ['', '80', '443'].includes(port) || Number(port) >= 1024;

const writeBasic = ({ username, password }: URL): string => {
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString('base64')}`;
  } catch {
    throw new RefusedAddressError('the credentials in the URL are not properly encoded');
  }
};
