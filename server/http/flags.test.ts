import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { readFlags } from './flags.ts';

const shape = Type.Object({
  on: Type.Boolean(),
  maybe: Type.Union([Type.Boolean(), Type.Null()]),
  text: Type.String(),
  either: Type.Union([Type.Boolean(), Type.String()]),
  list: Type.Array(Type.Object({ on: Type.Boolean() })),
});

describe('the flags 1 and 0', () => {
  it('become booleans where the schema expects a boolean, at any depth', () => {
    const input = { on: '1', maybe: '0', text: '1', either: '1', list: [{ on: '0' }, { on: 'x' }], other: '1' };
    expect(readFlags(shape, input)).toEqual({
      on: true,
      maybe: false,
      text: '1',
      either: '1',
      list: [{ on: false }, { on: 'x' }],
      other: '1',
    });
  });

  it('treat null as absent unless null is allowed', () => {
    expect(readFlags(shape, { on: null, maybe: null, text: null })).toEqual({ on: undefined, maybe: null, text: null });
  });

  it.each([[null], ['text'], [[]], [7]])('leave %j unchanged', (value) =>
    expect(readFlags(shape, value)).toEqual(value),
  );
});
