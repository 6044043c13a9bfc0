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

describe('1 and 0', () => {
  it('are booleans where a boolean is due, at any depth, and nowhere else', () => {
    const given = { on: '1', maybe: '0', text: '1', either: '1', list: [{ on: '0' }, { on: 'x' }], other: '1' };
    expect(readFlags(shape, given)).toEqual({
      on: true,
      maybe: false,
      text: '1',
      either: '1',
      list: [{ on: false }, { on: 'x' }],
      other: '1',
    });
  });

  it('take null for left out, unless null is a value', () => {
    expect(readFlags(shape, { on: null, maybe: null, text: null })).toEqual({ on: undefined, maybe: null, text: null });
  });

  it.each([[null], ['text'], [[]], [7]])('leave %j as it is', (value) =>
    expect(readFlags(shape, value)).toEqual(value),
  );
});
