import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineOperation } from './operation.ts';
import { mergeShapes } from './shapes.ts';

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

describe('operations of one address', () => {
  const [merged, other, ...rest] = mergeShapes([earlier, current, alone]);

  it('become one that carries the name of the usual one', () => {
    expect(merged).toMatchObject({ name: 'set_spoon', summary: 'Sets a spoon', errors: [409] });
    expect(merged).not.toHaveProperty('when');
    expect(rest).toEqual([]);
  });

  it('take either body and give each of the answers', () => {
    expect(merged?.body).toMatchObject({ anyOf: [current.body, earlier.body] });
    expect(merged?.responses).toEqual({ 200: earlier.responses[200], 204: null });
  });

  it('require only what all of them require', () => {
    expect(merged?.query?.properties).toHaveProperty('drawer');
    expect(merged?.query?.required ?? []).toEqual([]);
  });

  it('leave others as they are', () => expect(other).toBe(alone));
});
