import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'contracts/**/*.test.ts',
      'server/**/*.test.ts',
      'scripts/**/*.test.ts',
      'e2e/**/*.test.ts',
      'bench/**/*.test.ts',
      'browser/**/*.test.ts',
      'widget/**/*.test.{ts,tsx}',
      'console/**/*.test.{ts,tsx}',
    ],
    globalSetup: ['server/testing/app/global-setup.ts'],
    setupFiles: ['server/testing/app/fast-password-hashing.ts'],
    pool: 'forks',
    // More than the two cores of a small machine: the tests wait for PostgreSQL, processes and browsers much of the time.
    maxWorkers: 3,
    // Files share what they import; each builds its own database and tenants, so there is nothing else to share.
    isolate: false,
    // Real processes and browsers are slow on a small or busy machine. These limits only end tests that hang.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
