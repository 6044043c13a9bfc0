import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { findCoercedNumber, rejectLists } from './reject-coercions.ts';
import { compileCoercing } from './validation.ts';

const shape = Type.Object({
  text: Type.String(),
  group: Type.Optional(Type.Integer()),
  tags: Type.Optional(Type.Array(Type.String())),
  rules: Type.Optional(Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }))),
  either: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
});

describe('a list in a JSON body', () => {
  const refuse = (body: unknown, type = 'application/json; charset=utf-8') =>
    rejectLists({ headers: { 'content-type': type }, body } as never, shape);

  it.each([
    [{ text: ['a'] }, 'text', 'string'],
    [{ text: 'a', group: [1] }, 'group', 'integer'],
    [{ text: 'a', tags: [['a']] }, 'tags.0', 'string'],
    [{ text: 'a', rules: [{ value: 'x' }, { value: ['x'] }] }, 'rules.1.value', 'string'],
  ])('is not accepted as a single value: %j', (body, field, type) =>
    expect(() => refuse(body)).toThrow(`\`${field}\` must be ${type}`),
  );

  it.each([[{ text: 'a', tags: 'one' }], [{ text: 'a', either: ['a'], other: ['a'] }], [null], ['text']])(
    'is accepted where a list is expected, and so is a single value: %j',
    (body) => expect(() => refuse(body)).not.toThrow(),
  );

  it('may be a single value in a form, where both are encoded the same way', () => {
    expect(() => refuse({ text: ['a'] }, 'application/x-www-form-urlencoded')).not.toThrow();
  });
});

describe('a number', () => {
  it.each([[true], ['0x0'], ['1e3'], ['0b1'], [''], ['Infinity'], ['one']])('is not accepted: %j', (group) => {
    expect(findCoercedNumber(shape, { group })).toEqual({ field: 'group', message: 'must be integer' });
    const check = compileCoercing(shape);
    expect(check({ text: 'a', group })).toBe(false);
    expect(check.errors?.[0]).toMatchObject({ instancePath: '/group', message: 'must be integer' });
  });

  it.each([[1], ['1'], ['-1'], ['+1'], [' 7 '], ['1.0'], [['3']]])('is accepted: %j', (group) => {
    expect(compileCoercing(shape)({ text: 'a', group })).toBe(true);
  });

  it('may be a boolean where the number is a flag', () => {
    const flag = Type.Object({ active: Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] }) });
    const body = { active: false };
    expect(compileCoercing(flag)(body)).toBe(true);
    expect(body).toEqual({ active: 0 });
  });

  it('is found at any depth, but not in text', () => {
    expect(findCoercedNumber(shape, { text: '0x0', rules: [{ value: '0x0', count: '0x0' }] })?.field).toBe(
      'rules.0.count',
    );
  });
});
