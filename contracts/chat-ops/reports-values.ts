import { type TSchema, Type } from 'typebox';
import { Int32, Nullable, oneOf } from '../values.ts';
import { Day, jsonp, Login, TimeZone } from './values.ts';

/** The arguments of reports; each report takes the ones that it names. */
export const dates = {
  date_from: Type.Optional(Day('The first day; default the start of time')),
  date_to: Type.Optional(Day('The last day, whole; default today')),
  ...jsonp,
};
export const timezone = { timezone: Type.Optional(TimeZone) };
export const group = { group: Type.Optional(Int32({ description: 'The id of a group' })) };
export const agent = { agent: Type.Optional(Login) };
export const goal = { goal: Type.Optional(Int32({ description: 'The id of a goal' })) };
export const groupBy = {
  group_by: Type.Optional({
    ...oneOf('hour', 'day', 'month'),
    description: 'Default `day`, or `hour` when `date_from` equals `date_to`',
  }),
};
export const tag = {
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'One tag; `tag[]` is taken too' })),
};

export const Count = Type.Integer({ minimum: 0 });
export const Seconds = Nullable(Type.Number({ description: '`null` when there was none' }));
export const Hours = Type.Number({ description: 'Decimal hours' });

/** The days of a bucket that were asked for. */
export const range = {
  begin: Type.String({ description: 'The first day of it', examples: ['2026-11-01'] }),
  end: Type.String({ description: 'The last day of it', examples: ['2026-11-30'] }),
};

/** An answer for every bucket of the asked days. */
export const ByBucket = <S extends TSchema>(schema: S) =>
  Type.Record(Type.String(), schema, {
    description:
      'By `HH:mm` for the hours of one day, `YYYY-MM-DD HH:mm` for those of several, `YYYY-MM-DD` for days, `YYYY-MM` for months',
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
    { description: 'Agents who were rated, the best first' },
  ),
});
