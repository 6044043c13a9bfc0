import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { WebAddress } from '../partner/values.ts';
import { Int32, Name, oneOf, Timestamp } from '../values.ts';

const PartnerId = Type.String({ pattern: '^[1-9][0-9]{0,14}$' });
const params = Type.Object({ partner_id: PartnerId });
const Status = oneOf('pending', 'approved', 'rejected');

export const Expert = Type.Object({
  partner_id: Type.String(),
  status: Status,
  company: Type.String(),
  short_description: Type.String(),
  website: Type.String(),
  updated_at: Timestamp,
});
export type Expert = Static<typeof Expert>;

export const listExperts = defineOperation({
  name: 'list_experts',
  method: 'GET',
  path: '/operator/v1/experts',
  summary: 'The experts, ordered by partner id',
  query: Type.Object({
    status: Type.Optional(Status),
    after: Type.Optional(Int32({ description: 'The `next` of the previous page' })),
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
  }),
  responses: { 200: Type.Object({ experts: Type.Array(Expert), next: Type.Optional(Type.Integer()) }) },
});

export const approveExpert = defineOperation({
  name: 'approve_expert',
  method: 'POST',
  path: '/operator/v1/experts/:partner_id/approve',
  audit: true,
  summary: 'Approves the expert for the marketplace',
  params,
  responses: { 200: Expert },
});

export const rejectExpert = defineOperation({
  name: 'reject_expert',
  method: 'POST',
  path: '/operator/v1/experts/:partner_id/reject',
  audit: true,
  summary: 'Rejects the expert',
  params,
  responses: { 200: Expert },
});

export const createExpertComment = defineOperation({
  name: 'create_expert_comment',
  method: 'POST',
  path: '/operator/v1/experts/:partner_id/comments',
  audit: true,
  summary: 'Publishes a comment about the expert',
  params,
  body: Type.Object({
    comment: Name({ maxLength: 5000 }),
    author: Name(),
    website: Type.Optional(WebAddress),
  }),
  responses: {
    201: Type.Object({
      id: Type.Integer(),
      comment: Type.String(),
      author: Type.String(),
      website: Type.String(),
      created_at: Timestamp,
    }),
  },
});

export const deleteExpertComment = defineOperation({
  name: 'delete_expert_comment',
  method: 'DELETE',
  path: '/operator/v1/experts/:partner_id/comments/:id',
  audit: true,
  summary: 'Deletes a comment',
  params: Type.Object({ partner_id: PartnerId, id: PartnerId }),
  responses: { 204: null },
});
