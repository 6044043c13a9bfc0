import { type Static, Type } from 'typebox';
import { Int32, Name, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { jsonp, Result } from './values.ts';

export const Group = Type.Object({
  id: Int32({ description: '0 is the built-in group of all agents' }),
  name: Type.String(),
  language: Type.String(),
  agents: Type.Optional(Type.Array(Type.String(), { description: 'Logins; absent for the built-in group' })),
  status: oneOf('accepting chats', 'not accepting chats', 'offline'),
});
export type Group = Static<typeof Group>;

const params = Type.Object({ group_id: Int32() });

const Language = Type.String({
  pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,2}$',
  description: 'Language of the chat window; phrases without a translation are shown in English',
  examples: ['en'],
});

const Agents = Type.Array(Type.String({ maxLength: 254 }), {
  maxItems: 1000,
  description: 'Logins; empty items are ignored, so that a form can send an empty list',
});

export const listGroups = chatOpsOperation({
  name: 'list_groups',
  scopes: ['groups_read'],
  method: 'GET',
  path: '/groups',
  summary: 'Lists groups',
  query: Type.Object(jsonp),
  responses: { 200: Type.Array(Group) },
});

export const getGroup = chatOpsOperation({
  name: 'get_group',
  scopes: ['groups_read'],
  method: 'GET',
  path: '/groups/:group_id',
  summary: 'Returns a group',
  params,
  query: Type.Object(jsonp),
  responses: { 200: Group },
});

export const createGroup = chatOpsOperation({
  name: 'create_group',
  scopes: ['groups_write'],
  method: 'POST',
  path: '/groups',
  audit: true,
  summary: 'Creates a group',
  body: Type.Object({ name: Name(), agents: Agents, language: Type.Optional(Language) }),
  responses: { 200: Group },
});

export const updateGroup = chatOpsOperation({
  name: 'update_group',
  scopes: ['groups_write'],
  method: 'PUT',
  path: '/groups/:group_id',
  audit: true,
  summary: 'Updates a group; `agents` replaces all existing members',
  params,
  body: Type.Object({
    name: Type.Optional(Name()),
    agents: Type.Optional(Agents),
    language: Type.Optional(Language),
  }),
  responses: { 200: Group },
});

export const deleteGroup = chatOpsOperation({
  name: 'delete_group',
  scopes: ['groups_write'],
  method: 'DELETE',
  path: '/groups/:group_id',
  audit: true,
  summary: 'Deletes a group; its active chats move to the group of all agents',
  params,
  responses: { 200: Result },
});

export const groupOperations = [listGroups, getGroup, createGroup, updateGroup, deleteGroup];
