import { defineConfig } from 'vitest/config';
import tests from './vitest.config.ts';

/** Long fault drills, which `npm test` leaves out: `npm run drills`. */
export default defineConfig({ test: { ...tests.test, include: ['e2e/drills/**/*.drill.ts'], maxWorkers: 1 } });
