import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { mergeOperations } from './merge-operations.ts';
import { defineOperation } from './operation.ts';

const current = defineOperation({
  name: 'set_spoon',
  method: 'PUT',
  path: '/v1/spoons',
  summary: 'Sets a spoon',
  query: Type.Object({ drawer: Type.String() }),
  body: Type.Object({ size: Type.Integer() }),
  responses: { 204: null },
  errors: [409],
});

const earlier = defineOperation({
  name: 'set_old_spoon',
  method: 'PUT',
  path: '/v1/spoons',
  summary: 'Sets a spoon by its name',
  when: { body: Type.Object({ name: Type.Unknown() }) },
  body: Type.Object({ name: Type.String() }),
  responses: { 200: Type.Object({}) },
});

const alone = { ...current, method: 'GET', name: 'list_spoons' } as const;

describe('operations with the same method and path', () => {
  const [merged, other, ...rest] = mergeOperations([earlier, current, alone]);

  it('are merged into one with the name of the default operation', () => {
    expect(merged).toMatchObject({ name: 'set_spoon', summary: 'Sets a spoon', errors: [409] });
    expect(merged).not.toHaveProperty('when');
    expect(rest).toEqual([]);
  });

  it('accept any of the bodies and return any of the responses', () => {
    expect(merged?.body).toMatchObject({ anyOf: [current.body, earlier.body] });
    expect(merged?.responses).toEqual({ 200: earlier.responses[200], 204: null });
  });

  it('require only the fields that all of them require', () => {
    expect(merged?.query?.properties).toHaveProperty('drawer');
    expect(merged?.query?.required ?? []).toEqual([]);
  });

  it('leave other operations unchanged', () => expect(other).toBe(alone));
});
