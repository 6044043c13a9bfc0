import { type Static, Type } from 'typebox';
import { Nullable, oneOf, Timestamp } from '../values.ts';

/** Schemas that the customer and the agent API v3.5 share. */
const Names = { propertyNames: { maxLength: 100 } };

export const Properties = Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown(), Names), {
  ...Names,
  description: 'Values by namespace and name',
});

/** The input of delete operations. */
export const PropertyNames = Type.Record(
  Type.String(),
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
  { ...Names, description: 'Names by namespace' },
);

const common = {
  custom_id: Type.Optional(
    Nullable(Type.String({ maxLength: 256, description: 'Makes retries of the same event safe' })),
  ),
  visibility: Type.Optional(Nullable(oneOf('all', 'agents'))),
  recipients: Type.Optional(Nullable(oneOf('all', 'agents'))),
  properties: Type.Optional(Nullable(Properties)),
};

const Postback = Type.Object({
  id: Type.String({ maxLength: 256 }),
  thread_id: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  event_id: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  type: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  value: Type.Optional(Nullable(Type.String({ maxLength: 4096 }))),
});

const Message = Type.Object({
  ...common,
  type: Type.Literal('message'),
  text: Type.String({ minLength: 1, maxLength: 16384, description: 'At most 16 KB' }),
  postback: Type.Optional(Nullable(Postback)),
});

const File = Type.Object({
  ...common,
  type: Type.Literal('file'),
  url: Type.String({ minLength: 1, maxLength: 4096, description: 'The URL returned by `upload_file`' }),
  alternative_text: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
});

const FilledForm = Type.Object({
  ...common,
  type: Type.Literal('filled_form'),
  form_id: Type.String({ minLength: 1, maxLength: 256 }),
  form_type: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  fields: Type.Array(Type.Object({ type: Type.String(), id: Type.String(), label: Type.String() }), { maxItems: 100 }),
});

const Button = Type.Object({ text: Type.String({ maxLength: 1000 }), postback_id: Type.String({ maxLength: 256 }) });

const Element = Type.Object({
  title: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
  subtitle: Type.Optional(Nullable(Type.String({ maxLength: 4000 }))),
  buttons: Type.Optional(Nullable(Type.Array(Button, { maxItems: 13 }))),
});

const RichMessage = Type.Object({
  ...common,
  type: Type.Literal('rich_message'),
  template_id: oneOf('cards', 'quick_replies', 'sticker'),
  elements: Type.Array(Element, { minItems: 1, maxItems: 10 }),
});

const Custom = Type.Object({
  ...common,
  type: Type.Literal('custom'),
  content: Type.Record(Type.String(), Type.Unknown()),
});

const SystemMessage = Type.Object({
  ...common,
  type: Type.Literal('system_message'),
  system_message_type: Type.String({ minLength: 1, maxLength: 100 }),
  text: Type.String({ maxLength: 16384 }),
  text_vars: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
});

const variants = [Message, File, FilledForm, RichMessage, Custom];

/** Events a client may send. Fields that only the server sets are ignored; `form` and `system_message` are rejected. */
export type EventInput =
  | Static<typeof Message>
  | Static<typeof File>
  | Static<typeof FilledForm>
  | Static<typeof RichMessage>
  | Static<typeof Custom>;
export const EventInput = Type.Unsafe<EventInput>({
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: variants,
});

/** Agents may also send system messages. */
export type AgentEventInput = EventInput | Static<typeof SystemMessage>;
export const AgentEventInput = Type.Unsafe<AgentEventInput>({
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [...variants, SystemMessage],
});

/** An event in a response. Which optional fields it has depends on its type. */
export const Event = Type.Object(
  {
    id: Type.String(),
    custom_id: Type.Optional(Type.String()),
    created_at: Timestamp,
    type: Type.String(),
    author_id: Type.Optional(Type.String()),
    visibility: oneOf('all', 'agents'),
    properties: Type.Optional(Properties),
    text: Type.Optional(Type.String()),
    postback: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    url: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    content_type: Type.Optional(Type.String()),
    size: Type.Optional(Type.Integer()),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    thumbnail_url: Type.Optional(Type.String()),
    thumbnail2x_url: Type.Optional(Type.String()),
    alternative_text: Type.Optional(Type.String()),
    form_id: Type.Optional(Type.String()),
    form_type: Type.Optional(Type.String()),
    fields: Type.Optional(Type.Array(Type.Unknown())),
    template_id: Type.Optional(Type.String()),
    elements: Type.Optional(Type.Array(Type.Unknown())),
    content: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    system_message_type: Type.Optional(Type.String()),
    text_vars: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { description: 'Event' },
);
export type Event = Static<typeof Event>;
