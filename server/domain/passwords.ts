import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the library's defaults, which follow the current recommendation. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Whoever has no password is not let in by any. */
export const isPassword = async (password: string, passwordHash: string | null): Promise<boolean> =>
  passwordHash !== null && (await verify(passwordHash, password));
