import { Type } from 'typebox';
import { Empty, Int32, Name, Nullable, oneOf } from '../values.ts';
import { configurationAction } from './operation.ts';

const BotId = Type.String({ minLength: 1, maxLength: 100 });

const Group = Type.Object({
  id: Int32(),
  priority: Type.Optional(Nullable(oneOf('first', 'normal', 'last'))),
});

const settings = {
  avatar: Type.Optional(Nullable(Type.String({ maxLength: 2048, examples: ['https://example.com/bot.png'] }))),
  job_title: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  max_chats_count: Type.Optional(Nullable(Int32({ maximum: 1000, description: 'Default 6' }))),
  groups: Type.Optional(
    Nullable(Type.Array(Group, { maxItems: 100, description: 'Priorities are accepted and ignored' })),
  ),
};

const Bot = Type.Object({
  id: BotId,
  name: Type.String(),
  avatar: Type.String(),
  job_title: Type.String(),
  routing_status: oneOf('accepting_chats', 'not_accepting_chats', 'offline'),
  max_chats_count: Int32(),
  groups: Type.Array(Type.Object({ id: Int32(), priority: Type.Literal('normal') })),
});

const Token = Type.String({ description: 'Sent as `Bearer <token>` with each request and each login' });

export const createBot = configurationAction({
  name: 'create_bot',
  scopes: ['agents_write'],
  audit: true,
  summary: 'Creates a bot, an agent operated by a program',
  description: 'A bot gets chats once it sets its routing status; before human agents in groups with `bots_first`.',
  body: Type.Object({ name: Name(), ...settings }),
  responses: { 200: Type.Object({ id: BotId, token: Token }) },
});

export const listBots = configurationAction({
  name: 'list_bots',
  scopes: ['agents_read'],
  reads: true,
  summary: 'Lists the bots of the organization',
  body: Type.Object({}),
  responses: { 200: Type.Array(Bot) },
});

export const getBot = configurationAction({
  name: 'get_bot',
  scopes: ['agents_read'],
  reads: true,
  summary: 'Returns a bot',
  body: Type.Object({ id: BotId }),
  responses: { 200: Bot },
});

export const updateBot = configurationAction({
  name: 'update_bot',
  scopes: ['agents_write'],
  audit: true,
  summary: 'Updates a bot; omitted fields stay unchanged',
  body: Type.Object({ id: BotId, name: Type.Optional(Nullable(Name())), ...settings }),
  responses: { 200: Empty },
});

export const deleteBot = configurationAction({
  name: 'delete_bot',
  scopes: ['agents_write'],
  audit: true,
  summary: 'Deletes a bot and assigns its active chats to other agents',
  body: Type.Object({ id: BotId }),
  responses: { 200: Empty },
});

export const resetBotToken = configurationAction({
  name: 'reset_bot_token',
  scopes: ['agents_write'],
  audit: true,
  summary: 'Creates a new token for a bot and revokes the previous one',
  body: Type.Object({ id: BotId }),
  responses: { 200: Type.Object({ token: Token }) },
});

export const issueBotToken = configurationAction({
  name: 'issue_bot_token',
  scopes: ['agents_write'],
  audit: true,
  summary: 'Returns the token of a bot',
  body: Type.Object({ bot_id: BotId }),
  responses: { 200: Type.Object({ token: Token }) },
});
