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
import { memoize } from './memoize.ts';

/** Uses of `SECRET_KEY`. Each has its own derived key, so that a weakness in one does not affect the others. */
export interface Secrets {
  /** A keyed hash for looking up a secret without storing it. */
  hash(secret: string): Buffer;
  /** Encrypts a secret that its owner may read again. */
  seal(secret: string): Buffer;
  unseal(sealed: Buffer): string;
  /** Signs data that a client stores for us. */
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
  /** A stable opaque id: what customers see instead of a login. */
  pseudonym(text: string): string;
  /**
   * A 32-digit hexadecimal id that distinguishes visitors without identifying them, cached because a visitor who
   * follows a link requests the landing page a moment later.
   */
  fingerprint(text: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const createSecrets = (secretKey: string): Secrets => {
  // A KeyObject, because hashing with a raw key takes six times as long, and every request hashes something.
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
    fingerprint: memoize(5_000, (text) => hash('sha256', `${fingerprintKey} ${text}`, 'hex').slice(0, 32)),
  };
};

/** Compares in constant time. */
export const equalSecrets = (one: string, other: string): boolean => {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
};

/** 256 random bits in hexadecimal, where clients expect it. */
export const randomHex = (): string => randomBytes(32).toString('hex');

/** 256 random bits, safe in URLs and headers. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');
