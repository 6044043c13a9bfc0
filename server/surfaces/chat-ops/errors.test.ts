import { expect, it } from 'vitest';
import { invalid, notFound } from '#server/domain/errors.ts';
import { writeChatOpsError } from './errors.ts';

it('names the invalid fields of a request in a header', () => {
  const message = '`name` must not be Łódź';
  const { headers, ...response } = writeChatOpsError(invalid('name', 'must not be Łódź'));
  expect(response).toEqual({ status: 400, body: { message, code: 400, error: message, errors: [message] } });
  expect(headers!['x-invalid-fields']).toMatch(/^[ -~]+$/);
  expect(JSON.parse(headers!['x-invalid-fields']!)).toEqual([{ field: 'name', message: 'must not be Łódź' }]);
});

it('names no fields for other errors', () => {
  expect(writeChatOpsError(notFound('Group')).headers).toEqual({});
});
