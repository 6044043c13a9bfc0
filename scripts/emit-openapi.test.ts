import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { surfaces } from '#server/surfaces/index.ts';
import { emitOpenApi, OPENAPI_FOLDER } from './emit-openapi.ts';

const emitted = emitOpenApi();

describe.each([...emitted])('docs/openapi/%s', (name, text) => {
  it('is a valid document', async () => {
    expect(await new Validator().validate(text)).toEqual({ valid: true });
  });

  it('is committed as the contracts define it', () => {
    const committed = readFileSync(path.join(OPENAPI_FOLDER, name), 'utf8');
    expect(committed === text, 'The document is out of date: run `npm run openapi`').toBe(true);
  });
});

it('contains no document of a removed surface', () => {
  expect(readdirSync(OPENAPI_FOLDER).sort()).toEqual([...emitted.keys()].sort());
});

it.each(surfaces.map(({ contract }) => contract))('$name has each operation id and each path once', (contract) => {
  const names = contract.operations.map(({ name }) => name);
  const addresses = contract.operations
    .filter(({ when }) => !when)
    .map(({ method, path: url }) => `${method} ${url.replace(/:\w+/g, ':')}`);
  expect(names).toEqual([...new Set(names)]);
  expect(addresses).toEqual([...new Set(addresses)]);
});
