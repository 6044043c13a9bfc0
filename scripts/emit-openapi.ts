import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toOpenApi } from '#contracts/openapi.ts';
import { surfaces } from '#server/surfaces/index.ts';

export const OPENAPI_FOLDER = path.join(import.meta.dirname, '..', 'docs', 'openapi');

/** File name → content, for every surface. */
export const emitOpenApi = (): Map<string, string> =>
  new Map(
    surfaces.map(({ contract }) => [`${contract.name}.json`, `${JSON.stringify(toOpenApi(contract), null, 2)}\n`]),
  );

if (import.meta.main) {
  const files = emitOpenApi();
  mkdirSync(OPENAPI_FOLDER, { recursive: true });
  for (const name of readdirSync(OPENAPI_FOLDER)) if (!files.has(name)) rmSync(path.join(OPENAPI_FOLDER, name));
  for (const [name, text] of files) writeFileSync(path.join(OPENAPI_FOLDER, name), text);
  console.log(`docs/openapi: ${[...files.keys()].join(', ')}`);
}
