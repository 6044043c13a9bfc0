import { expect, it } from 'vitest';
import { DomainError, invalid } from '#server/domain/errors.ts';
import { writeChatError } from './chat-errors.ts';

it('names the invalid fields of a request beside the message', () => {
  expect(writeChatError(invalid('rules.0.value', 'must be a number'))).toEqual({
    status: 400,
    body: {
      error: {
        type: 'validation',
        message: '`rules.0.value` must be a number',
        data: { fields: [{ field: 'rules.0.value', message: 'must be a number' }] },
      },
    },
  });
});

it('has no data for errors without a field or region', () => {
  const { body } = writeChatError(new DomainError('validation', 'There is one owner'));
  expect(body).toEqual({ error: { type: 'validation', message: 'There is one owner' } });
});
