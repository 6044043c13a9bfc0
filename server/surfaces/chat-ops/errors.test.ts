import { expect, it } from 'vitest';
import { invalid, notFound } from '#server/domain/errors.ts';
import { writeChatOpsError } from './errors.ts';

it('names the invalid fields of a request beside the documented members', () => {
  const message = '`name` is required';
  expect(writeChatOpsError(invalid('name', 'is required'))).toEqual({
    status: 400,
    body: {
      message,
      code: 400,
      error: message,
      errors: [message],
      fields: [{ field: 'name', message: 'is required' }],
    },
  });
});

it('has no fields for other errors', () => {
  expect(writeChatOpsError(notFound('Group')).body).not.toHaveProperty('fields');
});
