import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecrets, equalSecrets, randomSecret } from './secrets.ts';

const secrets = createSecrets('one key');
const others = createSecrets('another key');

describe('secrets', () => {
  it('unseals to the original text, and seals differently each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(text.isWellFormed());
        const sealed = secrets.seal(text);
        expect(secrets.unseal(sealed)).toBe(text);
        expect(secrets.seal(text).equals(sealed)).toBe(false);
      }),
    );
  });

  it('cannot unseal modified data or data of another key', () => {
    const sealed = secrets.seal('an API key');
    expect(() => others.unseal(sealed)).toThrow();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => secrets.unseal(changed)).toThrow();
    }
    expect(() => secrets.unseal(sealed.subarray(0, 20))).toThrow();
  });

  it('hashes, signs and pseudonymizes deterministically, but differently per key and purpose', () => {
    expect(secrets.hash('a')).toEqual(createSecrets('one key').hash('a'));
    expect(secrets.hash('a')).not.toEqual(others.hash('a'));
    expect(secrets.hash('a')).not.toEqual(secrets.hash('b'));
    expect(secrets.pseudonym('a')).toMatch(/^[0-9a-f]{32}$/);
    expect(secrets.hash('a').toString('hex')).not.toContain(secrets.pseudonym('a'));
    expect(secrets.sign('a')).not.toBe(secrets.hash('a').toString('base64url'));
  });

  it('accepts only its own signatures', () => {
    expect(secrets.isSigned('text', secrets.sign('text'))).toBe(true);
    expect(secrets.isSigned('text2', secrets.sign('text'))).toBe(false);
    expect(secrets.isSigned('text', others.sign('text'))).toBe(false);
    expect(secrets.isSigned('text', '')).toBe(false);
  });
});

describe('equalSecrets', () => {
  it('returns whether two texts are equal', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => equalSecrets(a, b) === (a === b)));
    expect(equalSecrets('a', 'a')).toBe(true);
    expect(equalSecrets('ä', 'a')).toBe(false);
  });
});

describe('randomSecret', () => {
  it('is different each time and safe in a URL', () => {
    const made = new Set(Array.from({ length: 100 }, randomSecret));
    expect(made.size).toBe(100);
    for (const secret of made) expect(secret).toMatch(/^[\w-]{43}$/);
  });
});
