import { type TSchema, Type } from 'typebox';
import { Int32, Nullable, oneOf } from '../values.ts';
import { Day, jsonp, Login, TimeZone } from './values.ts';

/** Query parameters that reports share. */
export const dates = {
  date_from: Type.Optional(Day('The first day; default: no lower limit')),
  date_to: Type.Optional(Day('The last day, inclusive; default today')),
  ...jsonp,
};
export const timezone = { timezone: Type.Optional(TimeZone) };
export const group = { group: Type.Optional(Int32({ description: 'A group id' })) };
export const agent = { agent: Type.Optional(Login) };
export const goal = { goal: Type.Optional(Int32({ description: 'A goal id' })) };
export const groupBy = {
  group_by: Type.Optional({
    ...oneOf('hour', 'day', 'month'),
    description: 'Default `day`, or `hour` when `date_from` equals `date_to`',
  }),
};
export const tag = {
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'One tag; `tag[]` is accepted too' })),
};

export const Count = Type.Integer({ minimum: 0 });
export const Seconds = Nullable(Type.Number({ description: '`null` if there is no value' }));
export const Hours = Type.Number({ description: 'Decimal hours' });

/** The requested days that a bucket covers. */
export const range = {
  begin: Type.String({ description: 'The first day of the bucket', examples: ['2026-11-01'] }),
  end: Type.String({ description: 'The last day of the bucket', examples: ['2026-11-30'] }),
};

/** One value per bucket of the requested days. */
export const ByBucket = <S extends TSchema>(schema: S) =>
  Type.Record(Type.String(), schema, {
    description:
      'Keys are `HH:mm` for the hours of one day, `YYYY-MM-DD HH:mm` for the hours of several days, `YYYY-MM-DD` for days and `YYYY-MM` for months',
  });

export const Ranking = Type.Object({
  ranking: Type.Array(
    Type.Object({
      good: Count,
      bad: Count,
      total: Count,
      score: Type.Number({ minimum: 0, maximum: 1, description: 'The share of good ratings' }),
      name: Login,
    }),
    { description: 'Rated agents, best first' },
  ),
});
