import { type Static, Type } from 'typebox';
import { Int32, oneOf, Timestamp } from '../values.ts';

/** Ordered. In responses each item holds one key. */
export const SessionFields = Type.Array(Type.Record(Type.String(), Type.String()));

export const SessionFieldsInput = Type.Array(Type.Record(Type.String(), Type.String()), {
  maxItems: 100,
  description:
    'Ordered; at most 100 keys in total, each of 1 to 128 characters with a value of at most 1024. A repeated key keeps its first position and its last value.',
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

export const VisitedPage = Type.Object({
  url: Type.String(),
  title: Type.Optional(Type.String()),
  opened_at: Timestamp,
});

const Visit = Type.Object({
  started_at: Timestamp,
  ended_at: Type.Optional(Type.String({ format: 'date-time', description: 'Absent while the visit is ongoing' })),
  referrer: Type.Optional(Type.String()),
  ip: Type.Optional(Type.String()),
  user_agent: Type.Optional(Type.String()),
  geolocation: Type.Optional(
    Type.Object({
      city: Type.Optional(Type.String()),
      region: Type.Optional(Type.String()),
      country: Type.Optional(Type.String()),
      country_code: Type.Optional(Type.String()),
      latitude: Type.Optional(Type.Number()),
      longitude: Type.Optional(Type.Number()),
      timezone: Type.Optional(Type.String()),
    }),
  ),
  last_pages: Type.Array(VisitedPage, { description: 'The latest ten pages, in the order in which they were opened' }),
});

/** A customer as shown to agents. */
export const CustomerDetails = Type.Object({
  ...Customer.properties,
  session_fields: SessionFields,
  created_at: Timestamp,
  group_ids: Type.Array(Int32(), { description: 'The group of the page the customer visited last' }),
  state: oneOf('queued', 'chatting', 'invited', 'browsing', 'offline'),
  online: Type.Boolean({ description: 'Whether the customer has an open socket' }),
  followed: Type.Optional(
    Type.Boolean({
      description: 'Whether the requesting agent follows the customer; absent from events sent to several agents',
    }),
  ),
  last_visit: Type.Optional(Visit),
  agent_last_event_created_at: Type.Optional(Timestamp),
  customer_last_event_created_at: Type.Optional(Timestamp),
  banned_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'Present only while the customer is banned' }),
  ),
});
export type CustomerDetails = Static<typeof CustomerDetails>;
