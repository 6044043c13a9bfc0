import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32 } from '../values.ts';

export const listSupportAddresses = defineOperation({
  name: 'list_support_addresses',
  method: 'GET',
  path: '/operator/v1/support-addresses',
  summary: 'The support addresses that organizations use or claim, oldest organization first',
  query: Type.Object({
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    after: Type.Optional(Int32({ description: 'The `next` of the previous page' })),
  }),
  responses: {
    200: Type.Object({
      support_addresses: Type.Array(
        Type.Object({
          organization_id: Type.String(),
          license_id: Type.Integer(),
          confirmed_address: Type.Optional(Type.String({ description: 'Mail to it becomes tickets' })),
          unconfirmed_address: Type.Optional(Type.String({ description: 'Waits for the code that was mailed to it' })),
        }),
      ),
      next: Type.Optional(Type.Integer({ description: 'Absent on the last page' })),
    }),
  },
});

export const releaseSupportAddress = defineOperation({
  name: 'release_support_address',
  method: 'DELETE',
  path: '/operator/v1/organizations/:organization_id/support-address',
  audit: true,
  summary: 'Removes the support address of an organization, so that another can confirm it',
  params: Type.Object({ organization_id: Type.String({ maxLength: 64 }) }),
  responses: { 204: null },
});
