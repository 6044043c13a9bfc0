import { Type } from 'typebox';
import { Appearance, Button } from '../customer/configuration.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { configurationAction } from './operation.ts';

const Phrases = Type.Record(
  Type.String(),
  Type.Record(Type.String(), Type.String({ maxLength: 1000 }), { maxProperties: 500 }),
  {
    maxProperties: 20,
    description: 'Custom phrases of the group, by language and phrase',
    examples: [{ en: { Send: 'Go' } }],
  },
);

export const getGroupWidget = configurationAction({
  name: 'get_group_widget',
  scopes: ['groups_read'],
  reads: true,
  summary: 'Returns the appearance and phrases of a group’s widget',
  body: Type.Object({ group_id: Int32() }),
  responses: {
    200: Type.Object({
      group_id: Int32(),
      language: Type.String({ examples: ['en'] }),
      languages: Type.Array(Type.String(), { description: 'Available languages' }),
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
  audit: true,
  summary: 'Updates a group’s widget; omitted fields stay unchanged',
  description: 'Open widgets change when their page is reloaded.',
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
              description: 'The URL of an image, uploaded or external; null: no logo',
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
            description: 'null restores the default button',
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
  description: 'Each domain includes its subdomains; an empty list allows all domains',
  examples: [['shop.example']],
});

export const getTrustedDomains = configurationAction({
  name: 'get_trusted_domains',
  scopes: ['groups_read'],
  reads: true,
  summary: 'Lists the domains that may show the account’s widget',
  body: Type.Object({}),
  responses: { 200: Type.Object({ trusted_domains: Domains }) },
});

export const setTrustedDomains = configurationAction({
  name: 'set_trusted_domains',
  scopes: ['groups_write'],
  audit: true,
  summary: 'Sets the trusted domains; URLs are reduced to their domains',
  body: Type.Object({ trusted_domains: Domains }),
  responses: { 200: Type.Object({ trusted_domains: Domains }) },
});

export const widgetOperations = [getGroupWidget, updateGroupWidget, getTrustedDomains, setTrustedDomains];
