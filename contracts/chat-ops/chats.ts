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
  agent_id: Type.Optional(Type.String({ description: 'The login of the author, if an agent' })),
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
        'The kind of event, for example `closed`; only with type `event`. A `private_note` was written by an agent for other agents and is never shown to visitors.',
    }),
  ),
});
export type Event = Static<typeof Event>;

const Visitor = Type.Object({
  id: Type.String({ description: 'The id chosen by the visitor’s app, or else the customer id' }),
  name: Type.String({ description: '`Client` if no name is known' }),
  ip: Type.String({ description: 'Empty if unknown, like all following fields' }),
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
    duration: Int32({ description: 'Seconds; until now, while the chat is pending' }),
    chat_start_url: Type.String({ description: 'Empty if unknown' }),
    referrer: Type.Optional(Type.String()),
    group: Type.Array(Int32()),
    started: DateText,
    started_timestamp: UnixSeconds,
    ended: Type.String({ description: 'A date in the format of `started`; empty while the chat is pending' }),
    ended_timestamp: Nullable(UnixSeconds),
    prechat_survey: Type.Array(SurveyAnswer),
    postchat_survey: Type.Array(SurveyAnswer),
    custom_variables: Type.Optional(Type.Array(KeyValue)),
    goals: Type.Optional(Type.Array(ReachedGoal, { description: 'Present only if a goal was reached' })),
    queue: Type.Optional(
      Type.Object(
        { duration: Int32({ description: 'Seconds' }) },
        { description: 'Present only if the chat started from the queue' },
      ),
    ),
    tags: Type.Array(Type.String()),
    timezone: Type.String(),
    messages: Type.Array(Message),
    events: Type.Array(Event, { description: 'Messages and other events in order' }),
    engagement: oneOf('auto_invite', 'manual_invite', 'immediate_start'),
    pending: Type.Boolean({ description: 'Whether the chat is still active' }),
  },
  { description: 'An archived chat' },
);
export type ArchivedChat = Static<typeof ArchivedChat>;

const ChatPage = Type.Object({ chats: Type.Array(ArchivedChat), total: Int32(), pages: Int32() });

const Place = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

export const listChats = chatOpsOperation({
  name: 'list_chats',
  scopes: ['archives_read'],
  method: 'GET',
  path: '/chats',
  summary: 'Lists archived chats, newest first, 25 per page',
  description:
    'Normal agents see the chats of their groups. `total` is at most 25,000, which is 1000 pages; narrow the dates to reach older chats.',
  query: Type.Object({
    date_from: Type.Optional(Day('The first day; default: no lower limit')),
    date_to: Type.Optional(Day('The last day, inclusive; default today')),
    timezone: Type.Optional(TimeZone),
    page: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Default 1, at most 1000; narrow the dates to reach older chats' }),
    ),
    visitor_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Words that must all occur in the messages, the visitor’s name or email address. The last word matches as a prefix.',
      }),
    ),
    agent: Type.Optional(Login),
    group: Type.Optional(Int32()),
    goal: Type.Optional(Int32({ description: 'A goal id' })),
    has_goal: Type.Optional(Flag()),
    sale: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The id of a sales tracker or of its goal' }),
    ),
    has_sale: Type.Optional(Flag()),
    queued: Type.Optional(Flag('Chats that started from the queue')),
    rate: Type.Optional(oneOf('rated', 'not_rated', 'rated_good', 'rated_bad')),
    include_pending: Type.Optional(Flag('Whether to include ongoing chats; default 0')),
    tag: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Chats that have all of these tags',
      }),
    ),
    tagged: Type.Optional(Flag()),
    comment: Type.Optional(Flag('Chats whose rating has a comment')),
    city: Place('In the local language'),
    region: Place('In the local language'),
    country: Place('The English name of the country'),
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
  summary: 'Returns an archived chat',
  params: OneChat,
  query: Type.Object({ timezone: Type.Optional(TimeZone), ...jsonp }),
  responses: { 200: ArchivedChat },
});

export const sendTranscript = chatOpsOperation({
  name: 'send_transcript',
  scopes: ['archives_write'],
  method: 'POST',
  path: '/chats/:chat_id/send_transcript',
  audit: false,
  summary: 'Emails the transcript of a chat without private notes',
  description:
    'Limited to 5 per hour and recipient, 100 per hour and account, and 20 per hour to addresses that are neither the customer’s nor an agent’s; beyond that, fails with 429.',
  params: OneChat,
  body: Type.Object({
    to: Type.String({ minLength: 3, maxLength: 254, description: 'The recipient’s email address' }),
  }),
  responses: { 200: Result },
});

export const updateChatTags = chatOpsOperation({
  name: 'update_chat_tags',
  scopes: ['archives_write'],
  method: 'PUT',
  path: '/chats/:chat_id/tags',
  audit: false,
  summary: 'Replaces the tags of a chat',
  params: OneChat,
  body: Type.Object({
    tag: Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 100,
      description: 'All tags of the chat; an empty list, or one empty item, removes all tags',
      examples: [['sale']],
    }),
  }),
  responses: { 200: ChatPage },
});

export const chatOperations = [listChats, getChat, sendTranscript, updateChatTags];
