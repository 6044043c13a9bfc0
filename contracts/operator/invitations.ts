import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Email, Int32, oneOf, Timestamp } from '../values.ts';

const invitation = {
  invitation_id: Type.Integer(),
  kind: oneOf('organization', 'partner'),
  email: Type.Optional(Type.String({ description: 'The only address that can use the invitation' })),
  created_at: Timestamp,
  expires_at: Timestamp,
};

export const Invitation = Type.Object({ ...invitation, used_at: Type.Optional(Timestamp) });
export type Invitation = Static<typeof Invitation>;

export const createInvitation = defineOperation({
  name: 'create_invitation',
  method: 'POST',
  path: '/operator/v1/invitations',
  audit: true,
  summary: 'Creates an invitation, which is needed to sign up while `SIGNUP` is `invite`',
  description: 'It works once and expires after 14 days. The code is returned only here; no email is sent.',
  body: Type.Object({
    kind: invitation.kind,
    email: Type.Optional(Email({ description: 'Only this address can use the invitation' })),
  }),
  responses: {
    201: Type.Object({
      ...invitation,
      code: Type.String({ description: 'The `invitation` of `sign_up` and `join`' }),
      url: Type.String({ description: 'The sign-up page with the code' }),
    }),
  },
});

export const listInvitations = defineOperation({
  name: 'list_invitations',
  method: 'GET',
  path: '/operator/v1/invitations',
  summary: 'All invitations, oldest first',
  query: Type.Object({
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    after: Type.Optional(Int32({ description: 'The `next` of the previous page' })),
  }),
  responses: {
    200: Type.Object({
      invitations: Type.Array(Invitation),
      next: Type.Optional(Type.Integer({ description: 'Absent on the last page' })),
    }),
  },
});

export const deleteInvitation = defineOperation({
  name: 'delete_invitation',
  method: 'DELETE',
  path: '/operator/v1/invitations/:invitation_id',
  audit: true,
  summary: 'Deletes an invitation, so that its code no longer works',
  params: Type.Object({ invitation_id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) }),
  responses: { 204: null },
});
