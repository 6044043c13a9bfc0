import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { DATA_MODEL_FILE, emitDataModel } from './emit-data-model.ts';

it('keeps docs/contributing/data-model.md equal to the migrated schema', async () => {
  const current = await emitDataModel(await createTestDatabase());
  const committed = readFileSync(DATA_MODEL_FILE, 'utf8');
  expect(committed === current, 'The data model is out of date: run `npm run data-model`').toBe(true);
});
