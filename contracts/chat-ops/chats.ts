import { type Static, Type } from 'typebox';
import { Int32, Nullable, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import {
  AttachedFile,
  DateText,
  Day,
  Flag,
  jsonp,
  KeyValue,
  Login,
  Result,
  SurveyAnswer,
  TimeZone,
  UnixSeconds,
} from './values.ts';

const ArchiveAgent = Type.Object({ display_name: Type.String(), email: Login });

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

const Event = Type.Object({
  ...Type.Partial(Type.Pick(Message, ['author_name', 'user_type', 'agent_id'])).properties,
  ...Type.Pick(Message, ['text', 'date', 'timestamp']).properties,
  type: oneOf('message', 'attachment', 'event'),
  files: Type.Optional(Type.Array(AttachedFile, { description: 'Only with type `attachment`' })),
  event_type: Type.Optional(
    Type.String({
      description:
        'What happened, such as `closed`; only with type `event`. `private_note` is what agents wrote for each other: visitors never see it.',
    }),
  ),
});
export type Event = Static<typeof Event>;

const Visitor = Type.Object({
  id: Type.String({ description: 'The id that its own program chose, else the customer’s' }),
  name: Type.String({ description: '`Client` when nobody told a name' }),
  ip: Type.String({ description: 'Empty, like all below, when it is not known' }),
  city: Type.String(),
  region: Type.String(),
  country: Type.String(),
  country_code: Type.String(),
  timezone: Type.String(),
  user_agent: Type.String(),
});
export type Visitor = Static<typeof Visitor>;

const ReachedGoal = Type.Object({
  id: Int32(),
  name: Type.String(),
  type: Type.String(),
  date: DateText,
  timestamp: UnixSeconds,
  order: Type.Optional(
    Type.Object({
      id: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      price: Type.Optional(Type.String()),
      currency: Type.Optional(Type.String()),
    }),
  ),
});
export type ReachedGoal = Static<typeof ReachedGoal>;

export const ArchivedChat = Type.Object(
  {
    type: oneOf('chat', 'missed_chat'),
    id: Type.String(),
    visitor: Visitor,
    agents: Type.Array(ArchiveAgent),
    supervisors: Type.Array(ArchiveAgent),
    rate: oneOf('not_rated', 'rated_good', 'rated_bad'),
    duration: Int32({ description: 'Seconds; so far, while the chat is pending' }),
    chat_start_url: Type.String({ description: 'Empty when it is not known' }),
    referrer: Type.Optional(Type.String()),
    group: Type.Array(Int32()),
    started: DateText,
    started_timestamp: UnixSeconds,
    ended: Type.String({ description: 'A date as `started` is; empty while the chat is pending' }),
    ended_timestamp: Nullable(UnixSeconds),
    prechat_survey: Type.Array(SurveyAnswer),
    postchat_survey: Type.Array(SurveyAnswer),
    custom_variables: Type.Optional(Type.Array(KeyValue)),
    goals: Type.Optional(Type.Array(ReachedGoal, { description: 'Only when there are any' })),
    queue: Type.Optional(
      Type.Object(
        { duration: Int32({ description: 'Seconds' }) },
        { description: 'Only when it started from the queue' },
      ),
    ),
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

const ChatPage = Type.Object({ chats: Type.Array(ArchivedChat), total: Int32(), pages: Int32() });

const Place = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

export const listChats = chatOpsOperation({
  name: 'list_chats',
  scopes: ['archives_read'],
  method: 'GET',
  path: '/chats',
  summary: 'The archive, newest first, 25 chats a page',
  description:
    'A normal agent finds the chats of its groups. `total` counts what can be reached: at most 25,000. Beyond page 1000 the dates must be narrowed.',
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
        description:
          'Words that all occur in the messages, the visitor’s name or its e-mail; the last may be the beginning of one',
      }),
    ),
    agent: Type.Optional(Login),
    group: Type.Optional(Int32()),
    goal: Type.Optional(Int32({ description: 'The id of a goal' })),
    has_goal: Type.Optional(Flag()),
    sale: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The id of a sales tracker, or of its goal' }),
    ),
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
  responses: { 200: ChatPage },
});

const OneChat = Type.Object({ chat_id: Type.String({ minLength: 1, maxLength: 64 }) });

export const getChat = chatOpsOperation({
  name: 'get_chat',
  scopes: ['archives_read'],
  method: 'GET',
  path: '/chats/:chat_id',
  summary: 'One chat of the archive',
  params: OneChat,
  query: Type.Object({ timezone: Type.Optional(TimeZone), ...jsonp }),
  responses: { 200: ArchivedChat },
});

export const sendTranscript = chatOpsOperation({
  name: 'send_transcript',
  scopes: ['archives_write'],
  method: 'POST',
  path: '/chats/:chat_id/send_transcript',
  summary: 'Mails what was said, without the notes of agents',
  description: 'At most 5 an hour to one address and 100 an hour for an account; beyond that 429.',
  params: OneChat,
  body: Type.Object({
    to: Type.String({ minLength: 3, maxLength: 254, description: 'The receiver’s e-mail address' }),
  }),
  responses: { 200: Result },
});

export const updateChatTags = chatOpsOperation({
  name: 'update_chat_tags',
  scopes: ['archives_write'],
  method: 'PUT',
  path: '/chats/:chat_id/tags',
  summary: 'Gives a chat these tags instead of those it had',
  params: OneChat,
  body: Type.Object({
    tag: Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 100,
      description: 'All of them; none, or one that is empty, takes all tags away',
      examples: [['sale']],
    }),
  }),
  responses: { 200: ChatPage },
});

export const chatOperations = [listChats, getChat, sendTranscript, updateChatTags];
