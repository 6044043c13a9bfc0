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
    Nullable(Type.Array(Group, { maxItems: 100, description: 'Priorities are taken and count for nothing' })),
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

const Token = Type.String({ description: 'Goes with each request and each login as `Bearer <token>`' });

export const createBot = configurationAction({
  name: 'create_bot',
  scopes: ['agents_write'],
  summary: 'Adds an agent that is a program',
  description: 'It takes chats once it sets its routing status; before people where its group says `bots_first`.',
  body: Type.Object({ name: Name(), ...settings }),
  responses: { 200: Type.Object({ id: BotId, token: Token }) },
});

export const listBots = configurationAction({
  name: 'list_bots',
  scopes: ['agents_read'],
  reads: true,
  summary: 'The bots of the organization',
  body: Type.Object({}),
  responses: { 200: Type.Array(Bot) },
});

export const getBot = configurationAction({
  name: 'get_bot',
  scopes: ['agents_read'],
  reads: true,
  summary: 'One bot',
  body: Type.Object({ id: BotId }),
  responses: { 200: Bot },
});

export const updateBot = configurationAction({
  name: 'update_bot',
  scopes: ['agents_write'],
  summary: 'Changes a bot; what is absent stays',
  body: Type.Object({ id: BotId, name: Type.Optional(Nullable(Name())), ...settings }),
  responses: { 200: Empty },
});

export const deleteBot = configurationAction({
  name: 'delete_bot',
  scopes: ['agents_write'],
  summary: 'Removes a bot; its open chats go to others',
  body: Type.Object({ id: BotId }),
  responses: { 200: Empty },
});

export const resetBotToken = configurationAction({
  name: 'reset_bot_token',
  scopes: ['agents_write'],
  summary: 'Gives a bot another token; the one before is void at once',
  body: Type.Object({ id: BotId }),
  responses: { 200: Type.Object({ token: Token }) },
});

export const issueBotToken = configurationAction({
  name: 'issue_bot_token',
  scopes: ['agents_write'],
  summary: 'Shows the token of a bot',
  body: Type.Object({ bot_id: BotId }),
  responses: { 200: Type.Object({ token: Token }) },
});
