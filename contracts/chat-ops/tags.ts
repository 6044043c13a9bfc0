import { type Static, Type } from 'typebox';
import { Int32 } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { jsonp, Login, Ok, TagName, UnixSeconds } from './values.ts';

export const Tag = Type.Object({
  name: Type.String(),
  author: Type.String({ description: 'A login' }),
  creation_date: UnixSeconds,
  count: Type.Object({ inChats: Int32(), inTickets: Int32() }),
  group: Int32(),
});
export type Tag = Static<typeof Tag>;

export const listTags = chatOpsOperation({
  name: 'list_tags',
  scopes: ['tags_read'],
  method: 'GET',
  path: '/tags',
  summary: 'Lists tags, optionally of one group',
  query: Type.Object({ group: Type.Optional(Int32()), ...jsonp }),
  responses: { 200: Type.Array(Tag) },
});

export const createTag = chatOpsOperation({
  name: 'create_tag',
  scopes: ['tags_write'],
  method: 'POST',
  path: '/tags',
  audit: true,
  summary: 'Creates a tag',
  body: Type.Object({ author: Login, tag: TagName, group: Int32() }),
  responses: { 200: Tag },
});

export const deleteTag = chatOpsOperation({
  name: 'delete_tag',
  scopes: ['tags_write'],
  method: 'DELETE',
  path: '/tags/:tag',
  audit: true,
  summary: 'Deletes a tag; chats and tickets keep it',
  description: '`group` is required in the query or in the body.',
  params: Type.Object({ tag: TagName }),
  query: Type.Object({ group: Type.Optional(Int32()) }),
  body: Type.Object({ group: Type.Optional(Int32()) }),
  responses: { 200: Ok },
});

export const tagOperations = [listTags, createTag, deleteTag];
