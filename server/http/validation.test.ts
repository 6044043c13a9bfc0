import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { compileResponseCheck, describeValidationError } from './validation.ts';

describe('describeValidationError', () => {
  it.each([
    [{ keyword: 'required', instancePath: '', params: { missingProperty: 'name' } }, 'name', 'is required'],
    [{ keyword: 'enum', instancePath: '/plan', params: { allowedValues: ['a', 'b'] } }, 'plan', 'must be one of: a, b'],
    [
      { keyword: 'discriminator', instancePath: '/event', params: { tag: 'type' } },
      'event.type',
      'is missing or not a known value',
    ],
    [{ keyword: 'type', instancePath: '/a/0/b', params: {}, message: 'must be string' }, 'a.0.b', 'must be string'],
    [{ keyword: 'type', instancePath: '', params: {} }, 'body', 'is not valid'],
  ])('describes %j', (error, field, message) =>
    expect(describeValidationError(error as never)).toEqual({ field, message }),
  );
});

describe('compileResponseCheck', () => {
  it('describes what is wrong with a response without changing it', () => {
    const check = compileResponseCheck(Type.Object({ count: Type.Integer({ default: 1 }) }));
    expect(check({ count: 1 })).toBeUndefined();
    expect(check({ count: '1' })).toContain('response/count must be integer');
  });
});
