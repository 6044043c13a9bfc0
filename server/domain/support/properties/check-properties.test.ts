import { describe, expect, it } from 'vitest';
import { mergeWithinLimit, propertyError } from './check-properties.ts';
import type { PropertyDefinition } from './definitions.ts';

const define = (rest: Partial<PropertyDefinition>): PropertyDefinition => ({ type: 'any', access: {}, ...rest });

describe('propertyError', () => {
  it.each<[Partial<PropertyDefinition>, unknown]>([
    [{ type: 'string' }, ''],
    [{ type: 'string' }, 'x'.repeat(4096)],
    [{ type: 'string', maxLength: 3 }, 'äöü'],
    [{ type: 'int' }, -5],
    [{ type: 'int', domain: [0, 1] }, 0],
    [{ type: 'int', range: { from: 1, to: 5 } }, 5],
    [{ type: 'int', range: { from: 1 } }, 1],
    [{ type: 'bool' }, false],
    [{ type: 'any' }, { a: { b: ['c'] } }],
  ])('accepts for %j the value %j', (rest, value) => {
    expect(propertyError(define(rest), value)).toBeUndefined();
  });

  it.each<[Partial<PropertyDefinition>, unknown]>([
    [{ type: 'string' }, 1],
    [{ type: 'string' }, null],
    [{ type: 'string' }, 'x'.repeat(4097)],
    [{ type: 'string' }, 'ä'.repeat(2049)],
    [{ type: 'string', maxLength: 3 }, 'four'],
    [{ type: 'int' }, 1.5],
    [{ type: 'int' }, '1'],
    [{ type: 'int' }, 2 ** 53],
    [{ type: 'int', domain: [0, 1] }, 2],
    [{ type: 'int', range: { from: 1, to: 5 } }, 0],
    [{ type: 'int', range: { from: 1, to: 5 } }, 6],
    [{ type: 'bool' }, 0],
    [{ type: 'any' }, null],
    [{ type: 'any' }, { a: { b: [{}] } }],
    [{ type: 'any' }, { text: 'x'.repeat(4096) }],
  ])('rejects for %j the value %j', (rest, value) => {
    expect(propertyError(define(rest), value)).toBeTypeOf('string');
  });
});

describe('mergeWithinLimit', () => {
  const many = (count: number) => ({
    ns: Object.fromEntries(Array.from({ length: count }, (_, at) => [`name-${at}`, at])),
  });

  it('allows at most a hundred properties over all namespaces', () => {
    expect(mergeWithinLimit(many(99), { other: { one: 1 } }).count).toBe(100);
    expect(mergeWithinLimit(many(100), { ns: { 'name-3': 'x' } }).count).toBe(100);
    expect(() => mergeWithinLimit(many(100), { other: { one: 1 } })).toThrow('Resource limit reached');
  });
});
