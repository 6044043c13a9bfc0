import { expect, it } from 'vitest';
import { defineOperation } from '#contracts/operation.ts';
import { assertComplete } from './surface.ts';

const operation = (name: string) =>
  defineOperation({ name, method: 'GET', path: `/${name}`, summary: name, responses: { 204: null } });

const [listed, handled, both] = [operation('listed'), operation('handled'), operation('both')];

it('accepts a surface that handles exactly the operations of its contract', () => {
  expect(() => assertComplete({ name: 'sample', operations: [both] }, [{ operation: both }])).not.toThrow();
});

it('names operations without a handler and handlers outside the contract', () => {
  const contract = { name: 'sample', operations: [listed, both] };
  expect(() => assertComplete(contract, [{ operation: handled }, { operation: both }])).toThrow(
    'The sample API is incomplete: listed has no handler, handled is not in the contract',
  );
});
