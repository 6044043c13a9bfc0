import { Type } from 'typebox';
import { Int32, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { jsonp } from './values.ts';

const Status = Type.Object({ status: oneOf('online', 'offline') });

export const getStatus = chatOpsOperation({
  name: 'get_status',
  scopes: ['groups_read'],
  method: 'GET',
  path: '/status',
  summary: 'Returns whether any agent of a group accepts chats',
  query: Type.Object({ group: Type.Optional(Int32({ description: 'Default 0' })), ...jsonp }),
  responses: { 200: Status },
});

export const getGroupStatus = chatOpsOperation({
  name: 'get_group_status',
  scopes: ['groups_read'],
  method: 'GET',
  path: '/status/:group',
  summary: 'Returns whether any agent of the group in the path accepts chats',
  params: Type.Object({ group: Int32() }),
  query: Type.Object(jsonp),
  responses: { 200: Status },
});

export const statusOperations = [getStatus, getGroupStatus];
