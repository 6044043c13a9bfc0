import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Empty, Int32, Name, Nullable, oneOf } from '../values.ts';
import { configurationQuery as query } from './query.ts';

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

export const createBot = defineOperation({
  name: 'create_bot',
  method: 'POST',
  path: '/v3.5/configuration/action/create_bot',
  summary: 'Adds an agent that is a program',
  description: 'It takes chats once it sets its routing status; before people where its group says `bots_first`.',
  query,
  body: Type.Object({ name: Name(), ...settings }),
  responses: { 200: Type.Object({ id: BotId, token: Token }) },
});

export const listBots = defineOperation({
  name: 'list_bots',
  method: 'POST',
  path: '/v3.5/configuration/action/list_bots',
  reads: true,
  summary: 'The bots of the organization',
  query,
  body: Type.Object({}),
  responses: { 200: Type.Array(Bot) },
});

export const getBot = defineOperation({
  name: 'get_bot',
  method: 'POST',
  path: '/v3.5/configuration/action/get_bot',
  reads: true,
  summary: 'One bot',
  query,
  body: Type.Object({ id: BotId }),
  responses: { 200: Bot },
});

export const updateBot = defineOperation({
  name: 'update_bot',
  method: 'POST',
  path: '/v3.5/configuration/action/update_bot',
  summary: 'Changes a bot; what is absent stays',
  query,
  body: Type.Object({ id: BotId, name: Type.Optional(Nullable(Name())), ...settings }),
  responses: { 200: Empty },
});

export const deleteBot = defineOperation({
  name: 'delete_bot',
  method: 'POST',
  path: '/v3.5/configuration/action/delete_bot',
  summary: 'Removes a bot; its open chats go to others',
  query,
  body: Type.Object({ id: BotId }),
  responses: { 200: Empty },
});

export const resetBotToken = defineOperation({
  name: 'reset_bot_token',
  method: 'POST',
  path: '/v3.5/configuration/action/reset_bot_token',
  summary: 'Gives a bot another token; the one before is void at once',
  query,
  body: Type.Object({ id: BotId }),
  responses: { 200: Type.Object({ token: Token }) },
});

export const issueBotToken = defineOperation({
  name: 'issue_bot_token',
  method: 'POST',
  path: '/v3.5/configuration/action/issue_bot_token',
  summary: 'Shows the token of a bot',
  query,
  body: Type.Object({ bot_id: BotId }),
  responses: { 200: Type.Object({ token: Token }) },
});
