import { type Static, Type } from 'typebox';
import { Int32 } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { jsonp, Result, TagName, UnixSeconds } from './values.ts';

export const CannedResponse = Type.Object({
  id: Int32(),
  group: Int32(),
  text: Type.String(),
  creation_date: UnixSeconds,
  created_by: Type.String({ description: 'A login' }),
  tags: Type.Array(Type.String()),
  modification_date: Type.Optional(UnixSeconds),
  modified_by: Type.Optional(Type.String({ description: 'A login' })),
});
export type CannedResponse = Static<typeof CannedResponse>;

const params = Type.Object({ canned_response_id: Int32() });
const Text = Type.String({ minLength: 1, maxLength: 16_384, pattern: '\\S' });
const Tags = Type.Array(TagName, { maxItems: 100, description: 'Shortcuts that agents use to find it' });

export const listCannedResponses = chatOpsOperation({
  name: 'list_canned_responses',
  scopes: ['canned_responses_read'],
  method: 'GET',
  path: '/canned_responses',
  summary: 'Lists the canned responses of a group',
  query: Type.Object({ group: Type.Optional(Int32({ description: 'Default 0' })), ...jsonp }),
  responses: { 200: Type.Array(CannedResponse) },
});

export const getCannedResponse = chatOpsOperation({
  name: 'get_canned_response',
  scopes: ['canned_responses_read'],
  method: 'GET',
  path: '/canned_responses/:canned_response_id',
  summary: 'Returns a canned response',
  params,
  query: Type.Object(jsonp),
  responses: { 200: CannedResponse },
});

export const createCannedResponse = chatOpsOperation({
  name: 'create_canned_response',
  scopes: ['canned_responses_write'],
  method: 'POST',
  path: '/canned_responses',
  audit: true,
  summary: 'Creates a canned response',
  body: Type.Object({ text: Text, tags: Tags, group: Type.Optional(Int32({ description: 'Default 0' })) }),
  responses: { 200: CannedResponse },
});

const updateFields = {
  path: '/canned_responses/:canned_response_id',
  audit: true,
  summary: 'Updates a canned response',
  params,
  body: Type.Object({ text: Type.Optional(Text), tags: Type.Optional(Tags) }),
  responses: { 200: CannedResponse },
} as const;

export const updateCannedResponse = chatOpsOperation({
  name: 'update_canned_response',
  scopes: ['canned_responses_write'],
  method: 'PUT',
  ...updateFields,
});

export const updateCannedResponseByPost = chatOpsOperation({
  name: 'update_canned_response_by_post',
  scopes: ['canned_responses_write'],
  method: 'POST',
  ...updateFields,
});

export const deleteCannedResponse = chatOpsOperation({
  name: 'delete_canned_response',
  scopes: ['canned_responses_write'],
  method: 'DELETE',
  path: '/canned_responses/:canned_response_id',
  audit: true,
  summary: 'Deletes a canned response',
  params,
  responses: { 200: Result },
});

export const cannedResponseOperations = [
  listCannedResponses,
  getCannedResponse,
  createCannedResponse,
  updateCannedResponse,
  updateCannedResponseByPost,
  deleteCannedResponse,
];
