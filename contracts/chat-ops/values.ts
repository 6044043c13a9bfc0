import { Type } from 'typebox';
import { Int32 } from '../values.ts';

/** This API represents booleans as 0 and 1. */
export const Flag = (description?: string) =>
  Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1], ...(description ? { description } : {}) });

export const UnixSeconds = Type.Integer({ description: 'Unix time in seconds', examples: [1358941253] });

export const DateText = Type.String({
  description: 'In the time zone of the response',
  examples: ['Wed, 01/23/13 11:40:53 am'],
});

/** A day in the requested time zone. */
export const Day = (description: string) =>
  Type.String({ format: 'date', pattern: '^[12]\\d{3}-', description, examples: ['2026-11-15'] });

export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'An IANA time zone name; default: the account’s',
  examples: ['America/New_York'],
});

export const Login = Type.String({ minLength: 1, maxLength: 254, description: 'The email address of an agent' });

export const CALLBACK_PATTERN = '^[A-Za-z_$][\\w$.]{0,63}$';

/** Every GET operation supports JSONP. */
export const jsonp = {
  callback: Type.Optional(
    Type.String({ pattern: CALLBACK_PATTERN, description: 'Returns JSONP, a script that calls this function' }),
  ),
};

/** An attachment. */
export const AttachedFile = Type.Object({
  name: Type.String(),
  url: Type.String(),
  content_type: Type.String(),
  size: Int32({ description: 'Bytes' }),
});

export const KeyValue = Type.Object({ key: Type.String(), value: Type.String() });

export const SurveyAnswer = Type.Object({
  key: Type.String({ description: 'The question' }),
  value: Type.String({ description: 'The answer; several choices are joined by commas' }),
  id: Type.String(),
});

/** A sentence that says what was done. */
export const Result = Type.Object({ result: Type.String() });

export const Ok = Type.Object({ ok: Type.Literal(true) });

/** A form can send an empty list only as one empty item. */
export const GroupIds = Type.Array(Type.Union([Int32(), Type.Literal('')]), { maxItems: 1000 });

export const TagName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
