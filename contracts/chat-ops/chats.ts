import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, oneOf } from '../values.ts';
import { DateText, Day, Flag, jsonp, Login, TimeZone, UnixSeconds } from './values.ts';

const ArchiveAgent = Type.Object({ display_name: Type.String(), email: Login });

const SurveyAnswer = Type.Object({
  key: Type.String({ description: 'The question' }),
  value: Type.String({ description: 'The answer; several choices are joined with a comma' }),
  id: Type.String(),
});

const UserType = oneOf('agent', 'supervisor', 'visitor');

const Message = Type.Object({
  author_name: Type.String(),
  text: Type.String(),
  date: DateText,
  timestamp: UnixSeconds,
  user_type: UserType,
  agent_id: Type.Optional(Type.String({ description: 'The login of the agent who wrote it' })),
});
export type Message = Static<typeof Message>;

const AttachedFile = Type.Object({
  name: Type.String(),
  url: Type.String(),
  content_type: Type.String(),
  size: Int32({ description: 'Bytes' }),
});

const Event = Type.Object({
  ...Type.Partial(Type.Pick(Message, ['author_name', 'user_type', 'agent_id'])).properties,
  ...Type.Pick(Message, ['text', 'date', 'timestamp']).properties,
  type: oneOf('message', 'attachment', 'event'),
  files: Type.Optional(Type.Array(AttachedFile, { description: 'Only with type `attachment`' })),
  event_type: Type.Optional(Type.String({ description: 'What happened, such as `closed`; only with type `event`' })),
});
export type Event = Static<typeof Event>;

export const ArchivedChat = Type.Object(
  {
    type: Type.Literal('chat'),
    id: Type.String(),
    visitor: Type.Object({ id: Type.String(), name: Type.String({ description: '`Client` when nobody told a name' }) }),
    agents: Type.Array(ArchiveAgent),
    supervisors: Type.Array(ArchiveAgent),
    rate: oneOf('not_rated', 'rated_good', 'rated_bad'),
    duration: Int32({ description: 'Seconds; so far, while the chat is pending' }),
    chat_start_url: Type.Optional(Type.String()),
    referrer: Type.Optional(Type.String()),
    group: Type.Array(Int32()),
    started: DateText,
    started_timestamp: UnixSeconds,
    ended: Type.Optional(DateText),
    ended_timestamp: Type.Optional(UnixSeconds),
    prechat_survey: Type.Array(SurveyAnswer),
    postchat_survey: Type.Array(SurveyAnswer),
    tags: Type.Array(Type.String()),
    timezone: Type.String(),
    messages: Type.Array(Message),
    events: Type.Array(Event, { description: 'The messages and what else happened, in order' }),
    engagement: oneOf('auto_invite', 'manual_invite', 'immediate_start'),
    pending: Type.Boolean({ description: 'The chat has not ended' }),
  },
  { description: 'A chat of the archive' },
);
export type ArchivedChat = Static<typeof ArchivedChat>;

const Place = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));
const Reference = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }));

export const listChats = defineOperation({
  name: 'list_chats',
  method: 'GET',
  path: '/chats',
  summary: 'The archive, newest first, 25 chats a page',
  description:
    'A normal agent finds the chats of its groups. Goals, sales, queues and places are not recorded: a filter that asks for one finds nothing.',
  query: Type.Object({
    date_from: Type.Optional(Day('The first day; default the start of time')),
    date_to: Type.Optional(Day('The last day, whole; default today')),
    timezone: Type.Optional(TimeZone),
    page: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Default 1; at most 1000, beyond which the dates must be narrowed' }),
    ),
    visitor_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Found in a message, or in the visitor’s name or e-mail',
      }),
    ),
    agent: Type.Optional(Login),
    group: Type.Optional(Int32()),
    goal: Reference('The id of a goal'),
    has_goal: Type.Optional(Flag()),
    sale: Reference('The id of a sales tracker'),
    has_sale: Type.Optional(Flag()),
    queued: Type.Optional(Flag('Started from the queue')),
    rate: Type.Optional(oneOf('rated', 'not_rated', 'rated_good', 'rated_bad')),
    include_pending: Type.Optional(Flag('Also chats that have not ended; default 0')),
    tag: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Chats with all of these',
      }),
    ),
    tagged: Type.Optional(Flag()),
    comment: Type.Optional(Flag('Chats with a comment on their rating')),
    city: Place('In the local language'),
    region: Place('In the local language'),
    country: Place('The English name'),
    type: Type.Optional(oneOf('chat', 'missed_chat')),
    ...jsonp,
  }),
  responses: { 200: Type.Object({ chats: Type.Array(ArchivedChat), total: Int32(), pages: Int32() }) },
});

export const getChat = defineOperation({
  name: 'get_chat',
  method: 'GET',
  path: '/chats/:chat_id',
  summary: 'One chat of the archive',
  params: Type.Object({ chat_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  query: Type.Object({ timezone: Type.Optional(TimeZone), ...jsonp }),
  responses: { 200: ArchivedChat },
});
