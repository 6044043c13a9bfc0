import { describe, expect, it } from 'vitest';
import { createGroup } from '#contracts/chat-ops/groups.ts';
import { CallFailedError } from '#contracts/client.ts';
import { collectErrors, describeFormError, readFieldErrors, required } from './field-errors.ts';

const NUMBER = { field: 'rules.0.value', message: 'must be a number' };
const v3Error = new CallFailedError(createGroup, 400, {
  error: { type: 'validation', message: 'whatever it says', data: { fields: [NUMBER] } },
});
const restError = new CallFailedError(createGroup, 400, { errors: ['whatever it says'] }, JSON.stringify([NUMBER]));
const plainError = new CallFailedError(createGroup, 400, {
  error: { type: 'validation', message: 'There is one owner' },
});

describe('field errors', () => {
  it.each([v3Error, restError])('appear at the field that the server names, regardless of the message', (error) => {
    expect(readFieldErrors(error)).toEqual({ 'rules.0.value': 'Must be a number.' });
  });

  it('are empty when the server names no field', () => {
    expect(readFieldErrors(plainError)).toEqual({});
    expect(readFieldErrors(new TypeError('`name` is odd'))).toEqual({});
  });

  it('are described with the name of the field', () => {
    const field = { field: 'current_password', message: 'is not your password' };
    const error = new CallFailedError(createGroup, 400, { errors: ['x'] }, JSON.stringify([field]));
    expect(describeFormError(error)).toBe('Current password is not your password.');
    expect(describeFormError(plainError)).toBe('There is one owner.');
  });

  it('contain only failed checks', () => {
    expect(collectErrors({ name: required(' '), text: required('yes') })).toEqual({ name: 'Required' });
  });
});
