import { type Static, Type } from 'typebox';
import { Int32, Nullable, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { DateText, Flag, jsonp, KeyValue, Result, SurveyAnswer, UnixSeconds } from './values.ts';

const State = oneOf(
  'chatting',
  'queued',
  'browsing',
  'invited',
  'refused invitation',
  'chat closed',
  'logging into chat',
);

const Operator = Type.Object({ display_name: Type.String(), email: Type.String() });

const VisitedPage = Type.Object({
  page: Type.String(),
  title: Type.String(),
  invitation: Type.String({ description: 'The text of a greeting shown on the page; empty if none' }),
  time: DateText,
  time_ts: UnixSeconds,
  time_ref: Int32({ description: 'Seconds since the start of the visit' }),
});

/** Every field is always present: unknown texts are empty and unknown numbers are null. */
const Degrees = Nullable(Type.Number({ minimum: -180, maximum: 180 }));
const Moment = Type.String({ description: 'A date in the time zone of the account; empty if there is none' });

export const LiveVisitor = Type.Object(
  {
    id: Type.String({ description: 'The value of `get_visitor_id` in the tracking script' }),
    name: Type.String({ description: '`Client` if no name is known' }),
    state: State,
    group: Int32(),
    browser: Type.String({ examples: ['Chrome 142'] }),
    user_agent: Type.String(),
    host: Type.String({ description: 'Same as the IP address; host names are not resolved' }),
    ip: Type.String(),
    language: Type.String({ examples: ['en-GB'] }),
    timezone: Type.String(),
    city: Type.String(),
    region: Type.String(),
    country: Type.String(),
    country_code: Type.String(),
    latitude: Degrees,
    longitude: Degrees,
    visits: Int32({ description: 'Includes the current visit' }),
    last_visit: Moment,
    last_visit_ts: Nullable(UnixSeconds),
    page_address: Type.String(),
    page_current: Type.String(),
    page_title: Type.String(),
    page_views: Int32(),
    page_entered: Moment,
    page_entered_ts: Nullable(UnixSeconds),
    page_time: Type.String({ description: 'Time on the page', examples: ['0:01:45'] }),
    page_time_ts: Int32({ description: 'Time on the page in seconds' }),
    visit_path: Type.Array(VisitedPage, { description: 'The latest 50 pages of the visit' }),
    referrer: Type.String(),
    search_keyword: Type.String({ description: 'The search terms, if the search engine passes them on' }),
    custom_variables: Type.Array(KeyValue),
    invitation: Type.String({ description: 'The text of the greeting on the screen' }),
    greetings_all: Int32({ description: 'Greetings shown in this visit' }),
    greetings_accepted: Int32(),
    greetings_refused: Int32(),
    chats: Int32(),
    operators: Type.Array(Operator),
    chat: Nullable(
      Type.Object({ id: Type.String(), group: Type.Array(Int32()), start_time: DateText, start_time_ts: UnixSeconds }),
    ),
    chat_id: Type.String({ description: 'Empty if there is no chat' }),
    chat_start_time: Moment,
    chat_start_time_ts: Nullable(UnixSeconds),
    queue_start_time: Moment,
    queue_start_time_ts: Nullable(UnixSeconds),
    prechat_survey: Type.Optional(Type.Array(SurveyAnswer, { description: 'Present only during a chat' })),
  },
  { description: 'A visitor who is on the site' },
);
export type LiveVisitor = Static<typeof LiveVisitor>;

const filters = {
  group: Type.Optional(Type.Array(Int32(), { maxItems: 100, description: 'Visitors of any of these groups' })),
  count: Type.Optional(Flag('Returns only the number of visitors')),
  ...jsonp,
};

const answer = {
  200: Type.Union([Type.Array(LiveVisitor), Type.Integer({ description: 'With `count`: the number of visitors' })]),
} as const;

export const listVisitors = chatOpsOperation({
  name: 'list_visitors',
  scopes: ['visitors_read'],
  method: 'GET',
  path: '/visitors',
  summary: 'Lists the visitors on the site',
  query: Type.Object({ state: Type.Optional(State), ...filters }),
  responses: answer,
});

export const listVisitorsByState = chatOpsOperation({
  name: 'list_visitors_by_state',
  scopes: ['visitors_read'],
  method: 'GET',
  path: '/visitors/:state',
  summary: 'Lists the visitors on the site in one state',
  params: Type.Object({ state: State }),
  query: Type.Object(filters),
  responses: answer,
});

const Field = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  value: Type.String({ maxLength: 2000 }),
  url: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'An http, https or mailto URL',
      examples: ['https://crm.example/42'],
    }),
  ),
});

export const addVisitorDetails = chatOpsOperation({
  name: 'add_visitor_details',
  rateLimit: 'visitor_details',
  method: 'POST',
  path: '/visitors/:visitor_id/details',
  audit: false,
  summary: 'Shows agents details about a visitor from an integration',
  description:
    'Authenticated by `license_id` and the `token` of a `chat_started` webhook. Details with the same `id` are replaced.',
  public: true,
  params: Type.Object({ visitor_id: Type.String({ minLength: 1, maxLength: 256 }) }),
  body: Type.Object({
    license_id: Int32({ minimum: 1 }),
    token: Type.String({ minLength: 1, maxLength: 256 }),
    id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$', examples: ['crm'] }),
    fields: Type.Array(Field, { minItems: 1, maxItems: 50 }),
    icon: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'A URL without its scheme, loaded over https; 64 × 64 pixels',
        examples: ['crm.example/icon.png'],
      }),
    ),
  }),
  responses: { 200: Result },
});

export const visitorOperations = [listVisitors, listVisitorsByState, addVisitorDetails];
