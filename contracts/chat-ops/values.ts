import { Type } from 'typebox';
import { Int32 } from '../values.ts';

/** This API says yes and no with numbers. */
export const Flag = (description?: string) =>
  Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1], ...(description ? { description } : {}) });

export const UnixSeconds = Type.Integer({ description: 'Unix time in seconds', examples: [1358941253] });

export const DateText = Type.String({
  description: 'In the time zone of the answer',
  examples: ['Wed, 01/23/13 11:40:53 am'],
});

/** A whole day in the asked time zone. */
export const Day = (description: string) =>
  Type.String({ format: 'date', pattern: '^[12]\\d{3}-', description, examples: ['2026-11-15'] });

export const TimeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'An IANA name; default the account’s',
  examples: ['America/New_York'],
});

export const Login = Type.String({ minLength: 1, maxLength: 254, description: 'The e-mail address of an agent' });

export const CALLBACK_PATTERN = '^[A-Za-z_$][\\w$.]{0,63}$';

/** Every GET can be answered as JSONP. */
export const jsonp = {
  callback: Type.Optional(
    Type.String({ pattern: CALLBACK_PATTERN, description: 'Answers JSONP: a script that calls this function' }),
  ),
};

/** A file that came along. */
export const AttachedFile = Type.Object({
  name: Type.String(),
  url: Type.String(),
  content_type: Type.String(),
  size: Int32({ description: 'Bytes' }),
});

export const KeyValue = Type.Object({ key: Type.String(), value: Type.String() });

export const SurveyAnswer = Type.Object({
  key: Type.String({ description: 'The question' }),
  value: Type.String({ description: 'The answer; several choices are joined with a comma' }),
  id: Type.String(),
});

/** What was done, in words. */
export const Result = Type.Object({ result: Type.String() });

export const Ok = Type.Object({ ok: Type.Literal(true) });

/** A form has no other way to send an empty list than one empty item. */
export const GroupIds = Type.Array(Type.Union([Int32(), Type.Literal('')]), { maxItems: 1000 });

export const TagName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
