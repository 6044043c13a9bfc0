import { type Static, Type } from 'typebox';
import { Int32 } from '../values.ts';

/** Ordered. As an answer each item holds one key. */
export const SessionFields = Type.Array(Type.Record(Type.String(), Type.String()));

export const SessionFieldsInput = Type.Array(Type.Record(Type.String(), Type.String()), {
  maxItems: 100,
  description:
    'Ordered; at most 100 keys in all, each of 1 to 128 characters with a value of at most 1024. A key that comes twice keeps its first place and its last value.',
  examples: [[{ plan: 'gold' }, { cart: '3' }]],
});

export const Customer = Type.Object({
  id: Type.String(),
  type: Type.Literal('customer'),
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Boolean()),
  avatar: Type.Optional(Type.String()),
  session_fields: Type.Optional(SessionFields),
  statistics: Type.Object({
    chats_count: Int32(),
    threads_count: Int32(),
    visits_count: Int32(),
    page_views_count: Int32(),
    greetings_shown_count: Int32(),
    greetings_accepted_count: Int32(),
  }),
});
export type Customer = Static<typeof Customer>;
