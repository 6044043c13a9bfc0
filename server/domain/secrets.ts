import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { remember } from './remember.ts';

/** What `SECRET_KEY` is for. Each purpose has a key of its own, so that one use never helps against another. */
export interface Secrets {
  /** Finds a secret again without keeping it. */
  hash(secret: string): Buffer;
  /** Keeps a secret that its owner may read again. */
  seal(secret: string): Buffer;
  unseal(sealed: Buffer): string;
  /** Signs something a client carries for us. */
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
  /** The same opaque name each time for the same thing: what customers see instead of a login. */
  pseudonym(text: string): string;
  /**
   * 16 bytes in hexadecimal digits that tell visitors apart without telling who they are; much quicker than a hash. Whoever
   * follows a link is there again a moment later, on the page it leads to.
   */
  fingerprint(text: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const createSecrets = (secretKey: string): Secrets => {
  // Every request hashes something: with bytes as its key that takes six times as long.
  const derive = (purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, 'parley', purpose, 32)));
  const hashKey = derive('hash');
  const sealKey = derive('seal');
  const signKey = derive('sign');
  const pseudonymKey = derive('pseudonym');
  const fingerprintKey = derive('fingerprint').export().toString('hex');
  const sign = (text: string): string => createHmac('sha256', signKey).update(text).digest('base64url');
  return {
    hash: (secret) => createHmac('sha256', hashKey).update(secret).digest(),
    seal: (secret) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce);
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    unseal: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    sign,
    isSigned: (text, signature) => equalSecrets(sign(text), signature),
    pseudonym: (text) => createHmac('sha256', pseudonymKey).update(text).digest('hex').slice(0, 32),
    fingerprint: remember(5_000, (text) => hash('sha256', `${fingerprintKey} ${text}`, 'hex').slice(0, 32)),
  };
};

/** Compares without telling by its duration how much was right. */
export const equalSecrets = (one: string, other: string): boolean => {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
};

/** The same in hexadecimal digits, where clients expect those. */
export const randomHex = (): string => randomBytes(32).toString('hex');

/** 256 bits that nobody guesses, safe in a URL or a header. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');
