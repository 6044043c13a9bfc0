import { hash, verify } from '@node-rs/argon2';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { invalid } from './errors.ts';

/** Argon2id with the library's defaults, which follow the current recommendation. */
export const hashPassword = (password: string): Promise<string> => hash(password);

const normalize = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s/g, '');

const DIGITS = '01234567890123456789';
const reverse = (text: string): string => [...text].reverse().join('');

const isGuessable = (password: string, names: (string | undefined)[]): boolean => {
  const text = normalize(password);
  const known = names.flatMap((name = '') => [name, name.split('@')[0]!]).map(normalize);
  return (
    COMMON_PASSWORDS.has(text) ||
    known.includes(text) ||
    new Set(text).size < 3 ||
    DIGITS.includes(text) ||
    DIGITS.includes(reverse(text))
  );
};

/** Hashes a password that someone chooses. `names` are the login and the names of the account, which are guessed first. */
export const hashNewPassword = async (password: string, names: (string | undefined)[]): Promise<string> => {
  if (isGuessable(password, names)) throw invalid('password', 'is too easy to guess. Choose a less common one');
  return hashPassword(password);
};

/** Always false for accounts without a password. */
export const verifyPassword = async (password: string, passwordHash: string | null): Promise<boolean> =>
  passwordHash !== null && (await verify(passwordHash, password));
