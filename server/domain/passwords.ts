import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the library's defaults, which follow the current recommendation. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Always false for accounts without a password. */
export const verifyPassword = async (password: string, passwordHash: string | null): Promise<boolean> =>
  passwordHash !== null && (await verify(passwordHash, password));
