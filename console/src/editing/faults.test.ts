import { describe, expect, it } from 'vitest';
import { createGroup } from '#contracts/chat-ops/groups.ts';
import { CallFailedError } from '#contracts/client.ts';
import { collectFaults, explainFailure, readFaults, required } from './faults.ts';

const refusal = (message: string) => new CallFailedError(createGroup, 400, { error: { type: 'validation', message } });

describe('what is wrong', () => {
  it('stands at the field that the server names', () => {
    expect(readFaults(refusal('`rules.0.value` must be a number'))).toEqual({ 'rules.0.value': 'Must be a number.' });
    expect(readFaults(refusal('There is one owner'))).toEqual({});
  });

  it('is explained without marks for programs', () => {
    expect(explainFailure(refusal('`current_password` is not your password'))).toBe(
      'Current password is not your password.',
    );
    expect(explainFailure(refusal('There is one owner'))).toBe('There is one owner.');
  });

  it('is only what is wrong', () => {
    expect(collectFaults({ name: required(' '), text: required('yes') })).toEqual({ name: 'Required' });
  });
});
