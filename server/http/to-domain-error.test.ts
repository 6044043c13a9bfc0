import { describe, expect, it } from 'vitest';
import { DomainError, invalid } from '#server/domain/errors.ts';
import { toDomainError } from './to-domain-error.ts';

const failure = (fields: object) => Object.assign(new Error('raw words'), fields);

describe('toDomainError', () => {
  it('keeps domain errors unchanged', () => {
    const error = new DomainError('conflict', 'Taken');
    expect(toDomainError(error)).toBe(error);
  });

  it.each<[object, string]>([
    [{ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }, 'too_large'],
    [{ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }, 'validation'],
    [{ statusCode: 400 }, 'validation'],
    [{ code: '57014' }, 'timeout'],
    [{ code: '57P01' }, 'unavailable'],
    [{ code: 'ECONNREFUSED' }, 'unavailable'],
    [{ code: '53100' }, 'unavailable'],
    [{ code: 'ENOSPC' }, 'storage_full'],
    [{ code: '08006' }, 'unavailable'],
    [{ code: '23505' }, 'internal'],
    [{ statusCode: 500 }, 'internal'],
    [{}, 'internal'],
  ])('reads %j as %s', (fields, code) => expect(toDomainError(failure(fields)).code).toBe(code));

  it('hides the cause of an internal error from the client and keeps it for the log', () => {
    const cause = failure({ code: '42P01' });
    const error = toDomainError(cause);
    expect(error.message).toBe('Internal server error');
    expect(error.cause).toBe(cause);
    expect(toDomainError(failure({ code: '57P01' })).details).toEqual({ retryAfterSeconds: 2 });
  });

  it('writes the field names of the domain in snake case, except names that a client chose', () => {
    expect(toDomainError(invalid('dateFrom', 'must not be after `dateTo`'))).toMatchObject({
      code: 'validation',
      message: '`date_from` must not be after `date_to`',
      details: { fields: [{ field: 'date_from', message: 'must not be after `date_to`' }] },
    });
    expect(toDomainError(invalid('sessionFields.someKey', 'is too long')).details.fields).toEqual([
      { field: 'session_fields.someKey', message: 'is too long' },
    ]);
  });

  it('names the invalid field', () => {
    const validation = [{ keyword: 'required', instancePath: '/owner', params: { missingProperty: 'login' } }];
    expect(toDomainError(failure({ validation }))).toMatchObject({
      code: 'validation',
      message: '`owner.login` is required',
      details: { fields: [{ field: 'owner.login', message: 'is required' }] },
    });
  });

  it('handles thrown values that are not errors', () => {
    expect(toDomainError(undefined).code).toBe('internal');
    expect(toDomainError(null).code).toBe('internal');
    expect(toDomainError('text').code).toBe('internal');
  });
});
