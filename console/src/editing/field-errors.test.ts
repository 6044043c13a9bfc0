import { describe, expect, it } from 'vitest';
import { createGroup } from '#contracts/chat-ops/groups.ts';
import { CallFailedError } from '#contracts/client.ts';
import { collectErrors, describeFormError, readFieldErrors, required } from './field-errors.ts';

const refusal = (message: string) => new CallFailedError(createGroup, 400, { error: { type: 'validation', message } });

describe('field errors', () => {
  it('appear at the field that the server names', () => {
    expect(readFieldErrors(refusal('`rules.0.value` must be a number'))).toEqual({
      'rules.0.value': 'Must be a number.',
    });
    expect(readFieldErrors(refusal('There is one owner'))).toEqual({});
  });

  it('are described without field syntax', () => {
    expect(describeFormError(refusal('`current_password` is not your password'))).toBe(
      'Current password is not your password.',
    );
    expect(describeFormError(refusal('There is one owner'))).toBe('There is one owner.');
  });

  it('contain only failed checks', () => {
    expect(collectErrors({ name: required(' '), text: required('yes') })).toEqual({ name: 'Required' });
  });
});
