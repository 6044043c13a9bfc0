import { createHmac, randomBytes } from 'node:crypto';
import { equalSecrets } from '../../../secrets.ts';

/** RFC 6238 with the parameters that authenticator apps expect: SHA-1, six digits, thirty seconds. */
const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Accept one step early or late, since clocks differ and people type slowly. */
const MAX_DRIFT_STEPS = 1;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const toBase32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
};

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

export const newTotpSecret = (): string => toBase32(randomBytes(SECRET_BYTES));

export const totpStepAt = (date: Date): number => Math.floor(date.getTime() / STEP_MS);

export const totpCode = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE(mac[mac.length - 1]! & 0xf) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** The step of a code; undefined if the code is wrong or not newer than the last used one. */
export const findMatchingStep = (
  secret: string,
  code: string,
  { now, after }: { now: Date; after: number | null },
): number | undefined => {
  const current = totpStepAt(now);
  const steps = Array.from({ length: 2 * MAX_DRIFT_STEPS + 1 }, (_, n) => current - MAX_DRIFT_STEPS + n);
  return steps.find((step) => equalSecrets(totpCode(secret, step), code) && (after === null || step > after));
};

/** The content of the QR code. */
export const totpUri = (secret: string, { login, issuer }: { login: string; issuer: string }): string => {
  const parameters = { secret, issuer, algorithm: 'SHA1', digits: String(DIGITS), period: String(STEP_MS / 1000) };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(login)}?${query.join('&')}`;
};
