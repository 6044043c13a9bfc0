import { vi } from 'vitest';

/**
 * Passwords are hashed slowly on purpose, and tests make thousands of people who have one. Here the same algorithm takes less
 * memory and one round; servers that tests start as processes of their own hash as always.
 */
vi.mock('@node-rs/argon2', async (readReal) => {
  const real = await readReal<typeof import('@node-rs/argon2')>();
  return { ...real, hash: (password: string) => real.hash(password, { memoryCost: 1024, timeCost: 1 }) };
});
