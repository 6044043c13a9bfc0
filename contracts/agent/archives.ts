import { type TSchema, Type } from 'typebox';
import { Chat, SortOrder } from '../chat/chats.ts';
import { Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { agentAction } from './operation.ts';

const Flag = Type.Optional(Nullable(Type.Boolean()));
const period = { from: Type.Optional(Nullable(Timestamp)), to: Type.Optional(Nullable(Timestamp)) };

const listOf = <S extends TSchema>(item: S) => Type.Optional(Nullable(Type.Array(item, { maxItems: 100 })));
const choiceOf = <S extends TSchema>(item: S) => ({ values: listOf(item), exclude_values: listOf(item) });
const filterOf = <S extends TSchema>(item: S) =>
  Type.Optional(Nullable(Type.Object({ ...choiceOf(item), require_every_value: Flag, exists: Flag })));

const Text = Type.String({ maxLength: 256 });
const Groups = Type.Optional(Nullable(Type.Object(choiceOf(Int32()))));

/** Conditions on properties, by namespace and name. */
export const PropertyFilters = Type.Record(
  Type.String(),
  Type.Record(Type.String(), Type.Object({ ...choiceOf(Type.Unknown()), exists: Flag })),
  { propertyNames: { maxLength: 100 }, maxProperties: 20 },
);

const Survey = Type.Object({
  type: oneOf('pre_chat', 'post_chat'),
  answer_id: Type.Optional(Nullable(Text)),
  ...choiceOf(Text),
  exists: Flag,
  ...period,
  groups: Groups,
});

const ArchiveFilters = Type.Object({
  query: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 256,
        description:
          'Words that must all occur in messages, notes, the customer’s name or email address. The last word matches as a prefix.',
      }),
    ),
  ),
  ...period,
  thread_ids: listOf(Text),
  group_ids: listOf(Int32()),
  properties: Type.Optional(Nullable(PropertyFilters)),
  agents: filterOf(Text),
  tags: filterOf(Text),
  sales: filterOf(Int32({ description: 'The goal that the sale belongs to' })),
  goals: filterOf(Int32()),
  event_types: filterOf(Text),
  surveys: Type.Optional(Nullable(Type.Array(Survey, { maxItems: 10 }))),
  greetings: Type.Optional(Nullable(Type.Object({ ...choiceOf(Int32()), exists: Flag, ...period, groups: Groups }))),
  agent_response: Type.Optional(
    Nullable(
      Type.Object({
        exists: Flag,
        first: Type.Optional(
          Nullable(Type.Boolean({ description: 'Default false; true compares only the first answer' })),
        ),
        agents: Type.Optional(Nullable(Type.Object(choiceOf(Text)))),
        groups: Groups,
      }),
    ),
  ),
});

export const listArchives = agentAction({
  name: 'list_archives',
  scopes: ['archives_read'],
  reads: true,
  summary: 'Lists archived threads with their chats, newest first',
  description:
    '`from` and `to` limit the start of a thread. A thread must match all filters. `page_id` cannot be combined with other fields.',
  body: Type.Object({
    filters: Type.Optional(Nullable(ArchiveFilters)),
    limit: Type.Optional(Nullable(Int32({ minimum: 1, maximum: 100, description: 'Default 10' }))),
    sort_order: Type.Optional(Nullable(SortOrder)),
    // The page token contains the filters.
    page_id: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 200_000 }))),
  }),
  responses: {
    200: Type.Object({
      chats: Type.Array(Type.Object({ ...Chat.properties, is_followed: Type.Boolean() })),
      found_chats: Int32(),
      next_page_id: Type.Optional(Type.String()),
      previous_page_id: Type.Optional(Type.String()),
    }),
  },
});
