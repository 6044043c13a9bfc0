import { vi } from 'vitest';

/**
 * Hashing passwords is slow by design, and tests create thousands of them. In tests the same algorithm uses less memory and one
 * iteration. Servers that tests start in separate processes use the normal parameters.
 */
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof import('@node-rs/argon2')>();
  return { ...original, hash: (password: string) => original.hash(password, { memoryCost: 1024, timeCost: 1 }) };
});
