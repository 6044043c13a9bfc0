import { type Static, Type } from 'typebox';
import { Properties } from '../chat/events.ts';
import { Int32, oneOf } from '../values.ts';
import { Form } from './forms.ts';
import { customerAction, customerQuery } from './operation.ts';

const Version = Type.String({ minLength: 1, maxLength: 64 });
const Flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const DynamicConfiguration = Type.Object({
  group_id: Int32(),
  organization_id: Type.String(),
  client_limit_exceeded: Type.Boolean(),
  domain_allowed: Type.Boolean({ description: 'Whether the page belongs to a trusted domain' }),
  online_group_ids: Type.Optional(Type.Array(Int32(), { description: 'Absent if no group is online' })),
  config_version: Type.String({ description: 'The version to pass to `get_configuration`' }),
  localization_version: Type.String({ description: 'The version to pass to `get_localization`' }),
  language: Type.String({ examples: ['en'] }),
});
export type DynamicConfiguration = Static<typeof DynamicConfiguration>;

export const getDynamicConfiguration = customerAction({
  name: 'get_dynamic_configuration',
  method: 'GET',
  summary: 'Returns the settings a widget needs first on each page',
  query: Type.Object({
    ...customerQuery.properties,
    group_id: Type.Optional(Int32({ description: 'Default 0, the group of all agents' })),
    url: Type.Optional(Type.String({ maxLength: 16_384, description: 'The URL of the page that shows the widget' })),
    channel_type: Type.Optional(Type.String({ maxLength: 100 })),
    test: Flag('Accepted for compatibility; no effect'),
  }),
  responses: { 200: DynamicConfiguration },
});

export const Button = Type.Object({
  id: Type.String(),
  type: oneOf('text', 'image'),
  online_value: Type.String({ description: 'A text, or the URL of an image' }),
  offline_value: Type.String(),
});

export const Appearance = Type.Object({
  theme: oneOf('light', 'dark', 'auto'),
  accent_color: Type.String({ examples: ['#0b7460'] }),
  position: oneOf('left', 'right'),
  logo_url: Type.Optional(Type.String({ description: 'Absent if there is no logo' })),
});

export const Configuration = Type.Object({
  buttons: Type.Array(Button),
  ticket_form: Type.Optional(Form),
  prechat_form: Type.Optional(Form),
  postchat_form: Type.Optional(Form),
  allowed_domains: Type.Optional(Type.Array(Type.String(), { description: 'Absent if all domains are allowed' })),
  appearance: Appearance,
  integrations: Type.Object({}),
  properties: Type.Object({ group: Properties, license: Properties }),
});
export type Configuration = Static<typeof Configuration>;

const description =
  'The response is always the current content. A client may cache it until `get_dynamic_configuration` returns another version.';

export const getConfiguration = customerAction({
  name: 'get_configuration',
  method: 'GET',
  summary: 'Returns the configuration of a group’s widget',
  description,
  query: Type.Object({ ...customerQuery.properties, group_id: Int32(), version: Version }),
  responses: { 200: Configuration },
});

export const getLocalization = customerAction({
  name: 'get_localization',
  method: 'GET',
  summary: 'Returns the phrases of a group’s widget in a language',
  description: `${description} Unknown languages fall back to English.`,
  query: Type.Object({
    ...customerQuery.properties,
    group_id: Int32(),
    language: Type.String({ minLength: 1, maxLength: 35, examples: ['en'] }),
    version: Version,
  }),
  responses: { 200: Type.Record(Type.String(), Type.String()) },
});
