import { type TSchema, Type } from 'typebox';

/** RFC 3339 in UTC with six decimals. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-15T12:30:00.123000Z'] });

/** Fits a database integer, so that larger numbers are rejected by validation. */
export const Int32 = (options: { minimum?: number; maximum?: number; default?: number; description?: string } = {}) =>
  Type.Integer({ minimum: 0, maximum: 2_147_483_647, ...options });

/** Several clients send `null` for absent fields. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const Email = (options: { description?: string } = {}) =>
  Type.String({ format: 'email', maxLength: 254, ...options });

/** A non-empty name of limited length. */
export const Name = (options: { minLength?: number; maxLength?: number; description?: string } = {}) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', ...options });

export const Empty = Type.Object({}, { description: 'An empty object' });

export const oneOf = <const T extends string>(...values: T[]) => Type.Unsafe<T>({ type: 'string', enum: values });
