import { Type } from 'typebox';
import { Appearance, Button } from '../customer/configuration.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { configurationAction } from './operation.ts';

const Phrases = Type.Record(
  Type.String(),
  Type.Record(Type.String(), Type.String({ maxLength: 1000 }), { maxProperties: 500 }),
  {
    maxProperties: 20,
    description: 'By language and phrase: the group’s own words',
    examples: [{ en: { Send: 'Go' } }],
  },
);

export const getGroupWidget = configurationAction({
  name: 'get_group_widget',
  scopes: ['groups_read'],
  reads: true,
  summary: 'How the widget of a group looks, and what it says',
  body: Type.Object({ group_id: Int32() }),
  responses: {
    200: Type.Object({
      group_id: Int32(),
      language: Type.String({ examples: ['en'] }),
      languages: Type.Array(Type.String(), { description: 'Those that there are' }),
      appearance: Appearance,
      buttons: Type.Array(Button),
      phrases: Phrases,
      default_phrases: Type.Record(Type.String(), Type.String(), {
        description: 'All phrases, in the group’s language',
      }),
    }),
  },
});

export const updateGroupWidget = configurationAction({
  name: 'update_group_widget',
  scopes: ['groups_write'],
  summary: 'Changes that; what is absent stays',
  description: 'Widgets that are open keep what they have until their page is loaded again.',
  body: Type.Object({
    group_id: Int32(),
    language: Type.Optional(Type.String({ minLength: 1, maxLength: 35, examples: ['en'] })),
    appearance: Type.Optional(
      Type.Object({
        theme: Type.Optional(oneOf('light', 'dark', 'auto')),
        accent_color: Type.Optional(Type.String({ maxLength: 7, description: '`#rrggbb`', examples: ['#0b7460'] })),
        position: Type.Optional(oneOf('left', 'right')),
        logo_url: Type.Optional(
          Nullable(
            Type.String({
              maxLength: 2048,
              description: 'Of any picture, or of one that was uploaded; null: none',
              examples: ['https://example.com/logo.png'],
            }),
          ),
        ),
      }),
    ),
    buttons: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            id: Type.String({ minLength: 1, maxLength: 64 }),
            type: oneOf('text', 'image'),
            online_value: Type.String({ maxLength: 2048 }),
            offline_value: Type.String({ maxLength: 2048 }),
          }),
          {
            maxItems: 20,
            description: 'null: the default one again',
            examples: [[{ id: 'talk', type: 'text', online_value: 'Talk to us', offline_value: 'Write to us' }]],
          },
        ),
      ),
    ),
    phrases: Type.Optional(Phrases),
  }),
  responses: { 200: Empty },
});

const Domains = Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
  maxItems: 500,
  description: 'Each with all below it; none: everywhere',
  examples: [['shop.example']],
});

export const getTrustedDomains = configurationAction({
  name: 'get_trusted_domains',
  scopes: ['groups_read'],
  reads: true,
  summary: 'Where the widget of the account may be shown',
  body: Type.Object({}),
  responses: { 200: Type.Object({ trusted_domains: Domains }) },
});

export const setTrustedDomains = configurationAction({
  name: 'set_trusted_domains',
  scopes: ['groups_write'],
  summary: 'Sets that, at once; addresses are read as their domains',
  body: Type.Object({ trusted_domains: Domains }),
  responses: { 200: Type.Object({ trusted_domains: Domains }) },
});

export const widgetOperations = [getGroupWidget, updateGroupWidget, getTrustedDomains, setTrustedDomains];
