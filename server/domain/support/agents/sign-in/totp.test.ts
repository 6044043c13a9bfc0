import { describe, expect, it } from 'vitest';
import { findMatchingStep, newTotpSecret, toBase32, totpCode, totpStepAt, totpUri } from './totp.ts';

const SECRET = toBase32(Buffer.from('12345678901234567890'));

describe('TOTP codes', () => {
  // Appendix B of RFC 6238; the last six of its eight digits.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('match the RFC at %d seconds', (seconds, code) => {
    expect(SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(totpCode(SECRET, totpStepAt(new Date(seconds * 1000)))).toBe(code);
  });

  it('are accepted one step early or late, and never twice', () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const step = totpStepAt(now);
    for (const offset of [-1, 0, 1])
      expect(findMatchingStep(SECRET, totpCode(SECRET, step + offset), { now, after: null })).toBe(step + offset);
    for (const offset of [-2, 2])
      expect(findMatchingStep(SECRET, totpCode(SECRET, step + offset), { now, after: null })).toBeUndefined();
    expect(findMatchingStep(SECRET, totpCode(SECRET, step), { now, after: step })).toBeUndefined();
    expect(findMatchingStep(SECRET, totpCode(SECRET, step - 1), { now, after: step })).toBeUndefined();
    expect(findMatchingStep(SECRET, totpCode(SECRET, step + 1), { now, after: step })).toBe(step + 1);
  });

  it('use secrets that authenticator apps can read', () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(totpUri(SECRET, { login: 'al+ma@shop.test', issuer: 'Parley: A & B' })).toBe(
      `otpauth://totp/Parley%3A%20A%20%26%20B:al%2Bma%40shop.test?secret=${SECRET}&issuer=Parley%3A%20A%20%26%20B&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
